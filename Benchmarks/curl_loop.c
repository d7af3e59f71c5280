// The limits of libcurl's multi interface: curl_loop ADDRESS REQUESTS AT-ONCE [dutiful]
//
// One thread, each easy handle reused, each body copied into memory of its own. With `dutiful` it also
// does for each request what any real client must: set the address, send a user agent and the
// encodings that can be decoded, decode, keep the header lines, and read status, times and sizes.
// Prints the requests per second.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bytes {
  char *start;
  size_t count;
};

struct exchange {
  struct bytes body;
  struct bytes head;
};

static size_t append(struct bytes *bytes, const char *piece, size_t count) {
  char *grown = realloc(bytes->start, bytes->count + count);
  if (!grown) return 0;
  memcpy(grown + bytes->count, piece, count);
  bytes->start = grown;
  bytes->count += count;
  return count;
}

static void empty(struct bytes *bytes) {
  free(bytes->start);
  bytes->start = NULL;
  bytes->count = 0;
}

static size_t receive_body(char *piece, size_t size, size_t count, void *user) {
  return append(&((struct exchange *)user)->body, piece, size * count);
}

static size_t receive_header(char *piece, size_t size, size_t count, void *user) {
  return append(&((struct exchange *)user)->head, piece, size * count);
}

static const CURLINFO details[] = {
    CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T,       CURLINFO_APPCONNECT_TIME_T,
    CURLINFO_PRETRANSFER_TIME_T, CURLINFO_STARTTRANSFER_TIME_T, CURLINFO_TOTAL_TIME_T,
    CURLINFO_SIZE_DOWNLOAD_T,    CURLINFO_CONTENT_LENGTH_DOWNLOAD_T,
};

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) return 64;
  int left = atoi(argv[2]), at_once = atoi(argv[3]), count = left, running = 0;
  int dutiful = argc == 5 && strcmp(argv[4], "dutiful") == 0;
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)at_once);
  struct curl_slist *lines = curl_slist_append(NULL, "User-Agent: curl_loop/1");
  lines = curl_slist_append(lines, "Accept-Encoding: deflate, gzip, br");
  double start = seconds();
  for (int index = 0; index < at_once && left > 0; index++, left--, running++) {
    CURL *easy = curl_easy_init();
    struct exchange *exchange = calloc(1, sizeof *exchange);
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    if (dutiful) {
      curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
      curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
      curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_header);
      curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange);
    }
    curl_multi_add_handle(multi, easy);
  }
  while (running > 0) {
    int active;
    if (curl_multi_perform(multi, &active) != CURLM_OK) return 1;
    CURLMsg *message;
    int queued;
    while ((message = curl_multi_info_read(multi, &queued)) != NULL) {
      CURL *easy = message->easy_handle;
      struct exchange *exchange;
      long status = 0, reused = 0;
      curl_off_t detail, sum = 0;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &exchange);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (dutiful) {
        curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &reused);
        for (size_t number = 0; number < sizeof details / sizeof *details; number++) {
          curl_easy_getinfo(easy, details[number], &detail);
          sum += detail;
        }
      }
      if (message->data.result != CURLE_OK || status != 200 || exchange->body.count == 0 ||
          (dutiful && (exchange->head.count == 0 || sum == 0))) {
        fprintf(stderr, "curl_loop: %s\n", curl_easy_strerror(message->data.result));
        return 1;
      }
      empty(&exchange->body);
      empty(&exchange->head);
      curl_multi_remove_handle(multi, easy);
      if (left > 0) {
        left -= 1;
        if (dutiful) curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
        curl_multi_add_handle(multi, easy);
      } else {
        running -= 1;
        free(exchange);
        curl_easy_cleanup(easy);
      }
    }
    if (running > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  printf("%.0f\n", count / (seconds() - start));
  curl_slist_free_all(lines);
  curl_multi_cleanup(multi);
  curl_global_cleanup();
}
