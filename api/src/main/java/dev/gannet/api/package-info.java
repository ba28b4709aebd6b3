/**
 * The API that generated code, interceptors and libraries use: channels, calls, methods, metadata,
 * status and options.
 *
 * <p>Contains interfaces and values that only need the JDK. Does not belong here: engines, network
 * code, and anything about HTTP/2. The only threads are those of call credentials that ask a
 * blocking source or read a file; such a thread also continues the calls that waited for it.
 */
@NullMarked
package dev.gannet.api;

import org.jspecify.annotations.NullMarked;
