// libxml2 for Swift: the HTML and XML parsers and the tree that they build.
#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
// Debian's libxml2 includes ICU's headers, which Foundation brings in another version. Undefined, it
// only hides the last members of the encoding handlers, which are not ours to touch.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

#endif
