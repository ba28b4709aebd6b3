package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Headers, trailers and server of a streaming call, as its client sees them. For applications to
 * implement; new methods will have a default.
 */
public interface ResponseMetadata {
  /**
   * The response headers; blocks until they have arrived. Empty if the call ended without them. For
   * the thread that reads responses.
   *
   * @throws dev.gannet.api.StatusException if this thread was interrupted
   */
  Metadata headers();

  /** The trailers with the status; empty until the call has ended. Any thread. */
  Metadata trailers();

  /** The server's address; empty while there is no connection, and if there never was one. */
  Optional<SocketAddress> peer();

  /**
   * The TLS session of the call's connection; empty without a connection, and on a plaintext
   * connection.
   */
  Optional<SSLSession> sslSession();
}
