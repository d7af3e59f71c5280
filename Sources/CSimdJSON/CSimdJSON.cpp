#include "CSimdJSON.h"

#include <new>
#include <simdjson.h>

static_assert(CSIMDJSON_PADDING >= simdjson::SIMDJSON_PADDING, "the padding promised is too small");

struct csimdjson_parser {
  simdjson::dom::parser parser;
};

extern "C" csimdjson_parser *csimdjson_parser_create(void) {
  return new (std::nothrow) csimdjson_parser;
}

extern "C" void csimdjson_parser_destroy(csimdjson_parser *parser) { delete parser; }

extern "C" csimdjson_document csimdjson_parse(
    csimdjson_parser *parser, const uint8_t *bytes, size_t length) {
  simdjson::dom::element root;
  const auto error = parser->parser.parse(bytes, length, false).get(root);
  if (error != simdjson::SUCCESS) { return {static_cast<int32_t>(error), nullptr, nullptr}; }
  return {0, parser->parser.doc.tape.get(), parser->parser.doc.string_buf.get()};
}

extern "C" const char *csimdjson_message(int32_t error) {
  return simdjson::error_message(static_cast<simdjson::error_code>(error));
}
