/* SPDX-License-Identifier: MIT */
/* Keyboard and controllers as what the players hold. */
#include "verbs/run/window_pads.h"

#include <string.h>

#define STICK_PRESSED 16000 /* of 32767 */

typedef struct pad_key {
    uint32_t      player;
    window_button button;
    SDL_Scancode  key;
} pad_key;

/* By place on the keyboard, not by letter. */
static const pad_key keys[] = {
    {0, BUTTON_UP, SDL_SCANCODE_UP},        {0, BUTTON_DOWN, SDL_SCANCODE_DOWN},
    {0, BUTTON_LEFT, SDL_SCANCODE_LEFT},    {0, BUTTON_RIGHT, SDL_SCANCODE_RIGHT},
    {0, BUTTON_A, SDL_SCANCODE_Z},          {0, BUTTON_B, SDL_SCANCODE_X},
    {0, BUTTON_X, SDL_SCANCODE_A},          {0, BUTTON_Y, SDL_SCANCODE_S},
    {0, BUTTON_L1, SDL_SCANCODE_Q},         {0, BUTTON_R1, SDL_SCANCODE_W},
    {0, BUTTON_START, SDL_SCANCODE_RETURN}, {0, BUTTON_SELECT, SDL_SCANCODE_BACKSPACE},
    {1, BUTTON_UP, SDL_SCANCODE_I},         {1, BUTTON_DOWN, SDL_SCANCODE_K},
    {1, BUTTON_LEFT, SDL_SCANCODE_J},       {1, BUTTON_RIGHT, SDL_SCANCODE_L},
    {1, BUTTON_A, SDL_SCANCODE_G},          {1, BUTTON_B, SDL_SCANCODE_H},
    {1, BUTTON_X, SDL_SCANCODE_T},          {1, BUTTON_Y, SDL_SCANCODE_Y},
    {1, BUTTON_START, SDL_SCANCODE_U},      {1, BUTTON_SELECT, SDL_SCANCODE_O},
};

static const struct {
    window_button            button;
    SDL_GameControllerButton on_pad;
} pad_buttons[] = {
    {BUTTON_UP, SDL_CONTROLLER_BUTTON_DPAD_UP},
    {BUTTON_DOWN, SDL_CONTROLLER_BUTTON_DPAD_DOWN},
    {BUTTON_LEFT, SDL_CONTROLLER_BUTTON_DPAD_LEFT},
    {BUTTON_RIGHT, SDL_CONTROLLER_BUTTON_DPAD_RIGHT},
    {BUTTON_A, SDL_CONTROLLER_BUTTON_A},
    {BUTTON_B, SDL_CONTROLLER_BUTTON_B},
    {BUTTON_X, SDL_CONTROLLER_BUTTON_X},
    {BUTTON_Y, SDL_CONTROLLER_BUTTON_Y},
    {BUTTON_L1, SDL_CONTROLLER_BUTTON_LEFTSHOULDER},
    {BUTTON_R1, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER},
    {BUTTON_L3, SDL_CONTROLLER_BUTTON_LEFTSTICK},
    {BUTTON_R3, SDL_CONTROLLER_BUTTON_RIGHTSTICK},
    {BUTTON_START, SDL_CONTROLLER_BUTTON_START},
    {BUTTON_SELECT, SDL_CONTROLLER_BUTTON_BACK},
};

static bool pad_is(SDL_GameController *pad, SDL_JoystickID which)
{
    return pad != NULL && SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad)) == which;
}

void window_pads_event(window_pads *pads, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERDEVICEADDED) {
        for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
            if (pads->open[i] == NULL) {
                pads->open[i] = SDL_GameControllerOpen(event->cdevice.which);
                return;
            }
    } else if (event->type == SDL_CONTROLLERDEVICEREMOVED) {
        for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
            if (pad_is(pads->open[i], event->cdevice.which)) {
                SDL_GameControllerClose(pads->open[i]);
                pads->open[i] = NULL;
            }
    }
}

static uint32_t pad_held(SDL_GameController *pad)
{
    uint32_t held = 0;
    for (size_t i = 0; i < sizeof(pad_buttons) / sizeof(pad_buttons[0]); i++)
        if (SDL_GameControllerGetButton(pad, pad_buttons[i].on_pad) != 0)
            held |= 1u << pad_buttons[i].button;
    int x = SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTX),
        y = SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTY);
    held |= x < -STICK_PRESSED ? 1u << BUTTON_LEFT : x > STICK_PRESSED ? 1u << BUTTON_RIGHT : 0u;
    held |= y < -STICK_PRESSED ? 1u << BUTTON_UP : y > STICK_PRESSED ? 1u << BUTTON_DOWN : 0u;
    return held;
}

void window_pads_held(const window_pads *pads, uint32_t held[EMBER_CONSOLE_PLAYERS])
{
    const Uint8 *pressed = SDL_GetKeyboardState(NULL);
    memset(held, 0, EMBER_CONSOLE_PLAYERS * sizeof(held[0]));
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (pressed[keys[i].key] != 0)
            held[keys[i].player] |= 1u << keys[i].button;
    for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
        if (pads->open[i] != NULL)
            held[i] |= pad_held(pads->open[i]);
}

void window_pads_close(window_pads *pads)
{
    for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
        if (pads->open[i] != NULL)
            SDL_GameControllerClose(pads->open[i]);
    memset(pads, 0, sizeof(*pads));
}
