#pragma once

/// Starts the thread of the loop.
void curl_loop_start(const char *address, int at_once);

/// Sends a request; `resume` is called with `waiter` on the loop's thread when its response is there.
void curl_loop_send(void *waiter, void (*resume)(void *waiter));
