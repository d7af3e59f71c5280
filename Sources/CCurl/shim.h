// libcurl for Swift: the typed twins of its variadic functions, one for each argument shape.
//
// An option's number says which shape it takes; `long` and `curl_off_t` differ in width on some
// platforms, so there is no twin that takes "a number".
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>
#ifdef __linux__
#include <sys/prctl.h>
#else
#include <pthread.h>
#endif

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_bytes(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_write_callback(CURL *easy, curl_write_callback value) {
  return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, value);
}

static inline CURLcode ccurl_set_header_callback(CURL *easy, curl_write_callback value) {
  return curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, value);
}

static inline CURLcode ccurl_set_read_callback(CURL *easy, curl_read_callback value) {
  return curl_easy_setopt(easy, CURLOPT_READFUNCTION, value);
}

static inline CURLcode ccurl_set_seek_callback(CURL *easy, curl_seek_callback value) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode ccurl_set_progress_callback(CURL *easy, curl_xferinfo_callback value) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode ccurl_set_prereq_callback(CURL *easy, curl_prereq_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode ccurl_set_open_callback(CURL *easy, curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode ccurl_set_close_callback(CURL *easy, curl_closesocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

// Copied, so that the memory need not outlive the call.
static inline CURLcode ccurl_set_blob(
    CURL *easy, CURLoption option, const void *data, size_t length) {
  struct curl_blob blob = {(void *)data, length, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

static inline CURLcode ccurl_get_list(CURL *easy, CURLINFO info, struct curl_slist **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLSHcode ccurl_share_set_user(CURLSH *share, void *value) {
  return curl_share_setopt(share, CURLSHOPT_USERDATA, value);
}

static inline CURLSHcode ccurl_share_set_lock(CURLSH *share, curl_lock_function value) {
  return curl_share_setopt(share, CURLSHOPT_LOCKFUNC, value);
}

static inline CURLSHcode ccurl_share_set_unlock(CURLSH *share, curl_unlock_function value) {
  return curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, value);
}

static inline CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data value) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, value);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_string(CURL *easy, CURLINFO info, char **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// The result sits in a union, which is valid only in a message that says "done".
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
  return message->msg == CURLMSG_DONE ? message->data.result : CURLE_FAILED_INIT;
}

// The name of the calling thread in debuggers and `ps -L`; `prctl` is variadic too.
static inline void ccurl_name_thread(const char *name) {
#ifdef __linux__
  prctl(PR_SET_NAME, name);
#else
  pthread_setname_np(name);
#endif
}

#endif
