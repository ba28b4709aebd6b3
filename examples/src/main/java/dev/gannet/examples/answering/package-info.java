/** Interceptors of clients that answer calls without a server: a cache, and a circuit breaker. */
@NullMarked
package dev.gannet.examples.answering;

import org.jspecify.annotations.NullMarked;
