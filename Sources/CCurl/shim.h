// libcurl for Swift: the typed twins of its variadic functions, one for each argument shape.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

#endif
