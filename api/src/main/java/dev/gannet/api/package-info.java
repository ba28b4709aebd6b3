/**
 * The API that generated code, interceptors and libraries use: channels, calls, methods, metadata,
 * status and options.
 *
 * <p>Contains interfaces and values that only need the JDK. Does not belong here: engines, network
 * code, threads that run calls, and anything about HTTP/2.
 */
@NullMarked
package dev.gannet.api;

import org.jspecify.annotations.NullMarked;
