/* SPDX-License-Identifier: MIT */
/* Where a buffer or an image says its bytes are: in the document itself, as base64, or in a file beside it. A
   document may only name files in its own folder and below. */
#include "format/gltf/gltf.h"
#include "format/images.h"

#include <string.h>

/* ---- base64 ---- */

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool emberi_gltf_base64_decode(uint8_t *out, size_t *out_size, const char *text, size_t size)
{
    *out_size = 0;
    if (size % 4 != 0)
        return false;
    size_t pad = size == 0 || text[size - 1] != '=' ? 0 : text[size - 2] == '=' ? 2 : 1;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t bits = 0;
        size_t   digits = i + 4 == size ? 4 - pad : 4;
        for (size_t k = 0; k < digits; k++) {
            int value = base64_value(text[i + k]);
            if (value < 0)
                return false;
            bits |= (uint32_t)value << (18 - 6 * k);
        }
        if ((digits == 3 && (bits & 0xff) != 0) || (digits == 2 && (bits & 0xffff) != 0))
            return false;
        for (size_t k = 0; k + 1 < digits; k++)
            out[(*out_size)++] = (uint8_t)(bits >> (16 - 8 * k));
    }
    return true;
}

static ember_status data_uri_load(gltf_doc *doc, gltf_bytes *out, const char *uri, gltf_where where)
{
    const char  *comma = strchr(uri, ',');
    const char   mark[] = ";base64";
    const size_t mark_size = sizeof(mark) - 1;
    if (comma == NULL || (size_t)(comma - uri) < mark_size || memcmp(comma - mark_size, mark, mark_size) != 0)
        return emberi_gltf_fail(doc, EMBER_E_UNSUPPORTED, where, "uri", "a data URI that is not base64");
    size_t       size = strlen(comma + 1);
    uint8_t     *bytes;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &bytes, uint8_t, size / 4 * 3);
    if (status != EMBER_OK)
        return status;
    if (!emberi_gltf_base64_decode(bytes, &out->size, comma + 1, size))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "uri", "not valid base64");
    out->data = bytes;
    return EMBER_OK;
}

/* ---- files ---- */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool emberi_gltf_uri_unescape(char *uri)
{
    char *to = uri;
    for (const char *from = uri; *from != '\0'; from++) {
        char c = *from;
        if (c == '%') {
            int high = hex_value(from[1]), low = high < 0 ? -1 : hex_value(from[2]);
            if (low < 0)
                return false;
            c = (char)(high * 16 + low);
            from += 2;
        }
        /* No scheme, and no other system's separator or drive either. */
        if ((unsigned char)c < 0x20 || c == '\\' || c == ':')
            return false;
        *to++ = c;
    }
    *to = '\0';
    if (uri[0] == '/' || uri[0] == '\0')
        return false;
    for (const char *segment = uri; segment != NULL; segment = strchr(segment, '/')) {
        segment += *segment == '/';
        if (segment[0] == '.' && segment[1] == '.' && (segment[2] == '/' || segment[2] == '\0'))
            return false;
    }
    return true;
}

static ember_status file_uri_load(gltf_doc *doc, gltf_bytes *out, ember_buffer *file, const char *uri,
                                  gltf_where where)
{
    char        *name, *path;
    const char  *document = doc->source->options->path;
    size_t       size = strlen(uri) + 1;
    ember_error  err = EMBER_ERROR_INIT;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &name, char, size);
    if (status != EMBER_OK)
        return status;
    memcpy(name, uri, size);
    if (!emberi_gltf_uri_unescape(name))
        return emberi_gltf_fail(doc, EMBER_E_UNSUPPORTED, where, "uri",
                                "%s is not a file in the document's folder", emberi_quote(uri).text);
    if (document == NULL || strcmp(document, "-") == 0)
        return emberi_gltf_fail(doc, EMBER_E_IO, where, "uri",
                                "%s is another file, and the document's folder is not known",
                                emberi_quote(uri).text);
    path = emberi_image_path(doc->source, &doc->scratch, name);
    if (path == NULL)
        return emberi_fail_memory(doc->source->err);
    status = emberi_source_read_beside(doc->source, file, path, &err);
    if (status != EMBER_OK)
        return emberi_gltf_fail(doc, status, where, "uri", "%s: %s", emberi_quote(uri).text, err.text);
    out->data = file->data;
    out->size = file->size;
    return EMBER_OK;
}

ember_status emberi_gltf_uri_load(gltf_doc *doc, gltf_bytes *out, ember_buffer *file, const char *uri,
                                  gltf_where where)
{
    return strncmp(uri, "data:", 5) == 0 ? data_uri_load(doc, out, uri, where)
                                         : file_uri_load(doc, out, file, uri, where);
}
