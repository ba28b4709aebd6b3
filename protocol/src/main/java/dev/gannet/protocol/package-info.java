/**
 * What "gRPC over HTTP/2" means: length-prefixed messages, the {@code grpc-*} fields, encodings,
 * and the tables from HTTP to gRPC statuses (PROTOCOL-HTTP2).
 *
 * <p>Here live pure functions and pure state: bytes and fields come in, messages, fields and
 * statuses go out. What a peer sends never throws out of here; a broken rule is a {@link
 * dev.gannet.api.Status} or an empty result. What does not belong here: clocks, threads, locks,
 * logging, sockets, and HTTP/2's own frames and windows.
 */
@NullMarked
package dev.gannet.protocol;

import org.jspecify.annotations.NullMarked;
