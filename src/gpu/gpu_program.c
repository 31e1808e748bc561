/* SPDX-License-Identifier: MIT */
/* The one program that draws everything, in GLSL ES 3.00. Matrices come as three rows, so a point goes
   through one by three dot products. */

#include "gpu/gpu.h"

/* A mat3x4's columns are the rows of an affine matrix: (point, 1) * m is the matrix applied to the point, m *
   v mixes its rows. */
static const char program_vertex[] =
    "#version 300 es\n"
    "precision highp float;\n"
    "precision highp int;\n"
    "precision highp sampler2D;\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec4 tangent;\n"
    "layout(location = 3) in vec2 uv;\n"
    "layout(location = 4) in vec4 color;\n"
    "layout(location = 5) in uvec4 joints;\n"
    "layout(location = 6) in vec4 weights;\n"
    "layout(location = 7) in vec4 row0;\n"
    "layout(location = 8) in vec4 row1;\n"
    "layout(location = 9) in vec4 row2;\n"
    "layout(location = 10) in vec4 tint;\n"
    "layout(location = 11) in uvec4 pose;\n" /* first bone, bones, first inverse bind, inverse binds */
    "layout(location = 12) in uint bone;\n"
    "uniform sampler2D poses;\n"
    "uniform sampler2D binds;\n"
    "uniform mat4 view_projection;\n"
    "uniform int branch;\n"
    "uniform vec4 base_color;\n"
    "out vec3 v_world;\n"
    "out vec3 v_normal;\n"
    "out vec3 v_tangent;\n"
    "out vec2 v_uv;\n"
    "out vec4 v_color;\n"
    "flat out float v_side;\n"
    "\n"
    "const mat3x4 identity = mat3x4(1.0);\n"
    "\n"
    "mat3x4 after(mat3x4 a, mat3x4 b) {\n" /* first b, then a */
    "    return mat3x4(b * a[0].xyz + vec4(0.0, 0.0, 0.0, a[0].w),\n"
    "                  b * a[1].xyz + vec4(0.0, 0.0, 0.0, a[1].w),\n"
    "                  b * a[2].xyz + vec4(0.0, 0.0, 0.0, a[2].w));\n"
    "}\n"
    "\n"
    "mat3x4 fetch(sampler2D from, uint at) {\n"
    "    ivec2 texel = ivec2(int(at & 511u) * 3, int(at >> 9u));\n"
    "    return mat3x4(texelFetch(from, texel, 0), texelFetch(from, texel + ivec2(1, 0), 0), "
    "texelFetch(from, texel + ivec2(2, 0), 0));\n"
    "}\n"
    "\n"
    "mat3x4 posed(uint which) {\n"
    "    return which < pose.y ? fetch(poses, pose.x + which) : identity;\n"
    "}\n"
    "\n"
    "mat3x4 skinned(uint which) {\n"
    "    if (pose.w == 0xFFFFFFFFu)\n"
    "        return posed(which);\n"
    "    return which < pose.w ? after(posed(which), fetch(binds, pose.z + which)) : identity;\n"
    "}\n"
    "\n"
    "mat3x4 animation() {\n"
    "    if (branch == 2)\n"
    "        return posed(bone);\n"
    "    if (branch == 1) {\n"
    "        mat3x4 sum = skinned(joints.x) * weights.x;\n"
    "        if (weights.y != 0.0) sum += skinned(joints.y) * weights.y;\n"
    "        if (weights.z != 0.0) sum += skinned(joints.z) * weights.z;\n"
    "        if (weights.w != 0.0) sum += skinned(joints.w) * weights.w;\n"
    "        return sum;\n"
    "    }\n"
    "    return identity;\n"
    "}\n"
    "\n"
    "vec3 unit_or_zero(vec3 v) {\n"
    "    float size = length(v);\n"
    "    return size > 0.0 ? v / size : vec3(0.0);\n"
    "}\n"
    "\n"
    "void main() {\n"
    "    mat3x4 model = after(mat3x4(row0, row1, row2), animation());\n"
    "    vec3 x = vec3(model[0].x, model[1].x, model[2].x);\n"
    "    vec3 y = vec3(model[0].y, model[1].y, model[2].y);\n"
    "    vec3 z = vec3(model[0].z, model[1].z, model[2].z);\n"
    /* Normals go through the cofactors: the inverse transposed, but for a factor and, in a
       mirror, the sign. */
    "    vec3 yz = cross(y, z);\n"
    "    float volume = dot(x, yz);\n"
    "    float side = abs(volume) > 1e-6 * length(x) * length(y) * length(z) ? sign(volume) : 0.0;\n"
    "    v_side = side;\n"
    "    v_normal = unit_or_zero(side * (yz * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z));\n"
    "    v_tangent = unit_or_zero(x * tangent.x + y * tangent.y + z * tangent.z);\n"
    "    v_world = vec4(position, 1.0) * model;\n"
    "    v_uv = uv;\n"
    "    v_color = vec4(color.rgb * base_color.rgb * tint.rgb, tint.a);\n"
    "    gl_Position = view_projection * vec4(v_world, 1.0);\n"
    "}\n";

/* A sky and a ground that light softly, a warm key light, and a little light along the edges against
   the background. */
static const char program_fragment[] =
    "#version 300 es\n"
    "precision highp float;\n"
    "precision highp int;\n"
    "in vec3 v_world;\n"
    "in vec3 v_normal;\n"
    "in vec3 v_tangent;\n"
    "in vec2 v_uv;\n"
    "in vec4 v_color;\n"
    "flat in float v_side;\n"
    "uniform sampler2D color_map;\n"
    "uniform int textured;\n"
    "uniform int has_normals;\n"
    "uniform int show;\n"
    "uniform vec3 light;\n"
    "uniform vec4 eye;\n" /* w 0: a direction, of a parallel projection */
    "out vec4 result;\n"
    "\n"
    "vec3 linear(vec3 s) {\n"
    "    return mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), step(0.04045, s));\n"
    "}\n"
    "\n"
    "vec3 lit(vec3 albedo, vec3 n, vec3 v) {\n"
    "    vec3 sky = vec3(0.42, 0.475, 0.56), ground = vec3(0.19, 0.165, 0.145);\n"
    "    float wrapped = max(0.0, (dot(n, light) + 0.25) / 1.25);\n"
    "    vec3 key = vec3(1.0, 0.93, 0.82) * wrapped * wrapped * 0.9;\n"
    "    float edge = 1.0 - max(0.0, dot(n, v));\n"
    "    float rim = edge * edge * edge * edge * (0.6 + 0.4 * n.y);\n"
    "    float shine = pow(max(0.0, dot(n, normalize(light + v))), 40.0);\n"
    "    vec3 sum = albedo * (mix(ground, sky, n.y * 0.5 + 0.5) + key) + (albedo * 0.6 + 0.06) * sky * rim * "
    "0.6 + vec3(0.05) * shine;\n"
    /* White in full light keeps its shades: what is above 0.7 comes nearer and nearer to 1. */
    "    vec3 above = max(sum - 0.7, 0.0);\n"
    "    return min(sum, vec3(0.7)) + 0.3 * (1.0 - exp(above * (-1.0 / 0.3)));\n"
    "}\n"
    "\n"
    "void main() {\n"
    "    vec3 across = dFdx(v_world), up = dFdy(v_world);\n"
    "    vec3 map = texture(color_map, v_uv).rgb;\n"
    "    vec3 albedo = v_color.rgb * (textured != 0 ? map : vec3(1.0));\n"
    "    vec3 n = v_normal;\n"
    "    bool unlit = has_normals != 0 && dot(n, n) < 1e-12;\n"
    "    if (has_normals == 0) {\n"
    "        n = cross(across, up);\n"
    "        unlit = dot(n, n) == 0.0;\n"
    "    } else if (gl_FrontFacing != (v_side > 0.0)) {\n"
    "        n = -n;\n"
    "    }\n"
    "    vec3 shown = albedo;\n"
    "    if (show == 2)\n"
    "        shown = linear(unlit ? vec3(0.5) : normalize(n) * 0.5 + 0.5);\n"
    "    else if (show == 3)\n"
    "        shown = linear(dot(v_tangent, v_tangent) > 1e-12 ? normalize(v_tangent) * 0.5 + 0.5 : "
    "vec3(0.5));\n"
    "    else if (show == 0 && !unlit)\n"
    "        shown = lit(albedo, normalize(n), normalize(eye.xyz - v_world * eye.w));\n"
    "    result = vec4(shown, v_color.a);\n"
    "}\n";

static GLuint program_shader(GLenum kind, const char *text, ember_error *err)
{
    GLuint shader = glCreateShader(kind);
    GLint  done = GL_FALSE;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done != GL_TRUE) {
        char log[160] = "";
        glGetShaderInfoLog(shader, sizeof(log), NULL, log);
        emberi_gpu_fail(err, EMBER_E_UNSUPPORTED, "the graphics driver does not take the shader: %s", log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

ember_status emberi_program_build(GLuint *out, const char *vertex, const char *fragment, ember_error *err)
{
    GLuint first = program_shader(GL_VERTEX_SHADER, vertex, err),
           second = first != 0 ? program_shader(GL_FRAGMENT_SHADER, fragment, err) : 0;
    GLint done = GL_FALSE;
    *out = 0;
    if (second != 0) {
        *out = glCreateProgram();
        glAttachShader(*out, first);
        glAttachShader(*out, second);
        glLinkProgram(*out);
        glGetProgramiv(*out, GL_LINK_STATUS, &done);
    }
    glDeleteShader(first);
    glDeleteShader(second);
    if (done == GL_TRUE)
        return EMBER_OK;
    glDeleteProgram(*out);
    *out = 0;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                      "the graphics driver cannot link the shaders");
}

ember_status emberi_program_open(emberi_program *program, ember_error *err)
{
    ember_status status = emberi_program_build(&program->program, program_vertex, program_fragment, err);
    GLuint       made = program->program;
    if (status != EMBER_OK)
        return status;
    program->view_projection = glGetUniformLocation(made, "view_projection");
    program->branch = glGetUniformLocation(made, "branch");
    program->base_color = glGetUniformLocation(made, "base_color");
    program->textured = glGetUniformLocation(made, "textured");
    program->has_normals = glGetUniformLocation(made, "has_normals");
    program->show = glGetUniformLocation(made, "show");
    program->light = glGetUniformLocation(made, "light");
    program->eye = glGetUniformLocation(made, "eye");
    glUseProgram(made);
    glUniform1i(glGetUniformLocation(made, "poses"), EMBERI_UNIT_POSES);
    glUniform1i(glGetUniformLocation(made, "binds"), EMBERI_UNIT_BINDS);
    glUniform1i(glGetUniformLocation(made, "color_map"), EMBERI_UNIT_COLOR);
    return EMBER_OK;
}
