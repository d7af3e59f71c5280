// What libcurl's multi interface can do: curl_loop ADDRESS REQUESTS AT-ONCE
//
// One thread, each easy handle used over and over, each body copied into memory of its own. Prints the
// requests a second.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct body {
  char *bytes;
  size_t count;
};

static size_t receive(char *bytes, size_t size, size_t count, void *user) {
  struct body *body = user;
  char *grown = realloc(body->bytes, body->count + size * count);
  if (!grown) return 0;
  memcpy(grown + body->count, bytes, size * count);
  body->bytes = grown;
  body->count += size * count;
  return size * count;
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  int left = atoi(argv[2]), at_once = atoi(argv[3]), count = left, running = 0;
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)at_once);
  double start = seconds();
  for (int index = 0; index < at_once && left > 0; index++, left--, running++) {
    CURL *easy = curl_easy_init();
    struct body *body = calloc(1, sizeof *body);
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_multi_add_handle(multi, easy);
  }
  while (running > 0) {
    int active;
    if (curl_multi_perform(multi, &active) != CURLM_OK) return 1;
    CURLMsg *message;
    int queued;
    while ((message = curl_multi_info_read(multi, &queued)) != NULL) {
      CURL *easy = message->easy_handle;
      struct body *body;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &body);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || status != 200 || body->count == 0) {
        fprintf(stderr, "curl_loop: %s\n", curl_easy_strerror(message->data.result));
        return 1;
      }
      free(body->bytes);
      body->bytes = NULL;
      body->count = 0;
      curl_multi_remove_handle(multi, easy);
      if (left > 0) {
        left -= 1;
        curl_multi_add_handle(multi, easy);
      } else {
        running -= 1;
        free(body);
        curl_easy_cleanup(easy);
      }
    }
    if (running > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  printf("%.0f\n", count / (seconds() - start));
  curl_multi_cleanup(multi);
  curl_global_cleanup();
}
