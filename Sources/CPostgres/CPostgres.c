#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static cpostgres_functions functions;
static int is_open;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The names in the order of the fields, each of which is one pointer.
static const char *const names[] = {
    "PQconnectdbParams", "PQstatus", "PQserverVersion", "PQparameterStatus", "PQerrorMessage",
    "PQfinish", "PQsetNoticeProcessor", "PQpingParams", "PQsendQuery", "PQsendPrepare",
    "PQsendQueryPrepared", "PQsocket", "PQisBusy", "PQconsumeInput", "PQgetResult", "PQresultStatus",
    "PQresultErrorField", "PQresultErrorMessage", "PQntuples", "PQfnumber", "PQgetvalue",
    "PQgetlength", "PQgetisnull", "PQclear",
};

_Static_assert(
    sizeof(functions) == sizeof(names), "each field of cpostgres_functions needs its name");

static void open_library(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  void **fields = (void **)&functions;
  for (size_t place = 0; place < sizeof(names) / sizeof(*names); place++) {
    fields[place] = dlsym(library, names[place]);
    if (!fields[place]) return;
  }
  is_open = 1;
}

const cpostgres_functions *cpostgres_open(void) {
  pthread_once(&once, open_library);
  return is_open ? &functions : NULL;
}

static void ignore(void *context, const char *message) {
  (void)context;
  (void)message;
}

void cpostgres_silence(const cpostgres_functions *functions, cpostgres_connection *connection) {
  functions->setNoticeProcessor(connection, ignore, NULL);
}
