package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The only response of a call, with its headers, its trailers and the address of the server.
 * Immutable except for its metadata, which belongs to the caller.
 *
 * @param <R> the response message
 */
public final class Response<R> {
  private final R message;
  private final Metadata headers;
  private final Metadata trailers;
  private final Optional<SocketAddress> peer;
  private final Optional<SSLSession> sslSession;

  Response(
      R message,
      Metadata headers,
      Metadata trailers,
      Optional<SocketAddress> peer,
      Optional<SSLSession> sslSession) {
    this.message = Objects.requireNonNull(message, "message");
    this.headers = headers;
    this.trailers = trailers;
    this.peer = peer;
    this.sslSession = sslSession;
  }

  /** The response message. */
  public R message() {
    return message;
  }

  /** The headers before the message. */
  public Metadata headers() {
    return headers;
  }

  /** The trailers with the status. */
  public Metadata trailers() {
    return trailers;
  }

  /** The address of the server; empty if an interceptor's call does not provide it. */
  public Optional<SocketAddress> peer() {
    return peer;
  }

  /** The TLS session of the call's connection; empty on a plaintext connection. */
  public Optional<SSLSession> sslSession() {
    return sslSession;
  }
}
