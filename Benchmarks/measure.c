// Runs a command with its standard output into a pipe that is read at once, and prints the seconds until it
// ended, its processor time in seconds and its largest memory in megabytes: measure COMMAND [ARGUMENT ...]
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
  int pipe_ends[2];
  if (count < 2 || pipe(pipe_ends) < 0) return 64;
  double begin = now();
  pid_t child = fork();
  if (child < 0) return 71;
  if (child == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    execvp(arguments[1], arguments + 1);
    perror(arguments[1]);
    _exit(127);
  }
  close(pipe_ends[1]);
  static char buffer[1 << 16];
  while (read(pipe_ends[0], buffer, sizeof buffer) > 0) continue;
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) < 0) return 71;
  double end = now();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "measure: %s ended with %d\n", arguments[1], WEXITSTATUS(status));
    return 1;
  }
  printf("%.4f %.4f %.1f\n", end - begin, seconds(usage.ru_utime) + seconds(usage.ru_stime),
         usage.ru_maxrss / 1024.0);
}
