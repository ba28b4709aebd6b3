/**
 * The protocol "gRPC over HTTP/2": length-prefixed messages, the {@code grpc-*} fields, encodings,
 * and the mapping of HTTP to gRPC statuses (PROTOCOL-HTTP2). {@link
 * dev.gannet.protocol.RequestProtocol} is the interface for other protocols of requests, with the
 * parts that they share with gRPC; {@link dev.gannet.protocol.WholeContentDeframer} is for those
 * with one message per request.
 *
 * <p>This package contains functions and state machines without I/O: bytes and fields go in;
 * messages, fields and statuses come out. Nothing that a peer sends makes it throw; a broken rule
 * leads to a {@link dev.gannet.api.Status} or an empty result. It must not contain clocks, threads,
 * locks, logging, sockets, or HTTP/2's own frames and windows.
 */
@NullMarked
package dev.gannet.protocol;

import org.jspecify.annotations.NullMarked;
