package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** What a server sends beside the messages of a streaming call, as its client sees it. */
public interface ResponseMetadata {
  /**
   * The response headers; blocks until they are there. Empty where the call ended without them. For
   * the thread that reads responses.
   *
   * @throws dev.gannet.api.StatusException if this thread was interrupted
   */
  Metadata headers();

  /** What came with the status; empty until the call has ended. Any thread. */
  Metadata trailers();

  /** The server's address; empty while there is no connection, and where there was none. */
  Optional<SocketAddress> peer();

  /** The TLS session of the call's connection; empty without one, and on a plaintext one. */
  Optional<SSLSession> sslSession();
}
