package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Headers, trailers and server of a call, as its client sees them while it runs and afterwards. For
 * applications to implement; new methods will have a default.
 *
 * <p>Blocking calls with a stream are of this type, and so is the {@link ClientCallStreamObserver}
 * of a call with observers. {@link AsyncClient#response(dev.gannet.api.MethodDescriptor, Object,
 * java.util.function.Consumer)} hands it over for the call of each subscription.
 */
public interface ResponseMetadata {
  /**
   * The response headers. Empty if the call ended without them.
   *
   * <p>Of a blocking call: blocks until they have arrived; for the thread that reads responses. Of
   * all others: never blocks, and is empty until they have arrived, which is before the first
   * message; any thread.
   *
   * @throws dev.gannet.api.StatusException if this thread was interrupted while it was blocked
   */
  Metadata headers();

  /** The trailers with the status; empty until the call has ended. Any thread. */
  Metadata trailers();

  /**
   * The server's address; empty while there is no connection, and if there never was one. Any
   * thread.
   */
  Optional<SocketAddress> peer();

  /**
   * The TLS session of the call's connection; empty without a connection, and on a plaintext
   * connection. Any thread.
   */
  Optional<SSLSession> sslSession();
}
