/**
 * What generated code, interceptors and libraries touch: channels, calls, methods, metadata, status
 * and options.
 *
 * <p>Here live contracts and values that need the JDK alone. What does not belong here: engines,
 * wires, threads that run calls, and any word of HTTP/2.
 */
@NullMarked
package dev.gannet.api;

import org.jspecify.annotations.NullMarked;
