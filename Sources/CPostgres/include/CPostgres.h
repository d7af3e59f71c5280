// The functions of PostgreSQL's client library that searchagg calls, found when it runs.
//
// The library is opened when a shared state is named, and neither linked nor needed to build: these
// declarations are those of libpq's documentation, which stay as they are for all of libpq.so.5.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stdint.h>

typedef struct cpostgres_connection cpostgres_connection;
typedef struct cpostgres_result cpostgres_result;

/// The results of a statement that are no errors, as libpq numbers them.
enum {
  CPOSTGRES_COMMAND_OK = 1,
  CPOSTGRES_TUPLES_OK = 2
};

/// The answers to a ping of a server that is there, which may be starting.
enum {
  CPOSTGRES_PING_OK = 0,
  CPOSTGRES_PING_REJECT = 1
};

/// The field of an error that holds its five letters ('C', PG_DIAG_SQLSTATE).
enum { CPOSTGRES_SQLSTATE = 'C' };

typedef void (*cpostgres_notice)(void *_Nullable context, const char *_Nullable message);

/// libpq's functions by their names without `PQ`.
typedef struct {
  cpostgres_connection *_Nullable (*_Nonnull connectdbParams)(
      const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values,
      int expandsName);
  int (*_Nonnull status)(const cpostgres_connection *_Nonnull connection);
  int (*_Nonnull serverVersion)(const cpostgres_connection *_Nonnull connection);
  const char *_Nullable (*_Nonnull parameterStatus)(
      const cpostgres_connection *_Nonnull connection, const char *_Nonnull name);
  char *_Nullable (*_Nonnull errorMessage)(const cpostgres_connection *_Nonnull connection);
  void (*_Nonnull finish)(cpostgres_connection *_Nonnull connection);
  cpostgres_notice _Nullable (*_Nonnull setNoticeProcessor)(
      cpostgres_connection *_Nonnull connection, cpostgres_notice _Nullable processor,
      void *_Nullable context);
  int (*_Nonnull pingParams)(
      const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values,
      int expandsName);
  int (*_Nonnull sendQuery)(
      cpostgres_connection *_Nonnull connection, const char *_Nonnull statements);
  int (*_Nonnull sendPrepare)(
      cpostgres_connection *_Nonnull connection, const char *_Nonnull name,
      const char *_Nonnull statement, int count, const uint32_t *_Nullable types);
  int (*_Nonnull sendQueryPrepared)(
      cpostgres_connection *_Nonnull connection, const char *_Nonnull name, int count,
      const char *_Nullable const *_Nullable values, const int *_Nullable lengths,
      const int *_Nullable formats, int resultFormat);
  int (*_Nonnull socket)(const cpostgres_connection *_Nonnull connection);
  int (*_Nonnull isBusy)(cpostgres_connection *_Nonnull connection);
  int (*_Nonnull consumeInput)(cpostgres_connection *_Nonnull connection);
  cpostgres_result *_Nullable (*_Nonnull getResult)(cpostgres_connection *_Nonnull connection);
  int (*_Nonnull resultStatus)(const cpostgres_result *_Nonnull result);
  char *_Nullable (*_Nonnull resultErrorField)(const cpostgres_result *_Nonnull result, int field);
  char *_Nullable (*_Nonnull resultErrorMessage)(const cpostgres_result *_Nonnull result);
  int (*_Nonnull ntuples)(const cpostgres_result *_Nonnull result);
  int (*_Nonnull fnumber)(const cpostgres_result *_Nonnull result, const char *_Nonnull name);
  char *_Nonnull (*_Nonnull getvalue)(
      const cpostgres_result *_Nonnull result, int row, int column);
  int (*_Nonnull getlength)(const cpostgres_result *_Nonnull result, int row, int column);
  int (*_Nonnull getisnull)(const cpostgres_result *_Nonnull result, int row, int column);
  void (*_Nonnull clear)(cpostgres_result *_Nonnull result);
} cpostgres_functions;

/// Opens the library once for the process, and returns its functions; null where it is missing or too old.
const cpostgres_functions *_Nullable cpostgres_open(void);

/// Leaves a server's notices unread, which libpq would write to the standard error.
void cpostgres_silence(
    const cpostgres_functions *_Nonnull functions, cpostgres_connection *_Nonnull connection);

#endif
