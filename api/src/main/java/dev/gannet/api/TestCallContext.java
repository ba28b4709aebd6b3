package dev.gannet.api;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A call that a test makes up: code that asks for its {@link CallContext} runs without a server.
 *
 * <pre>
 *   TestCallContext context =
 *       CallContext.forTest().method(GreeterMethods.SAY_HELLO).value(USER, ada).build();
 *   HelloReply reply = context.call(() -> greeter.sayHello(request));
 *   assertThat(context.responseTrailers().get(QUOTA)).hasValue("1");
 * </pre>
 *
 * <p>A deadline that passes does not cancel this call; it only ends the calls that are made in its
 * context. A test cancels the call by {@link #cancel}. Safe for all threads, except for the
 * metadata and the builder.
 */
public final class TestCallContext implements CallContext {
  private final @Nullable MethodDescriptor<?, ?> method;
  private final String authority;
  private final Optional<Deadline> deadline;
  private final Metadata requestHeaders;
  private final SocketAddress peer;
  private final SocketAddress localAddress;
  private final Optional<SSLSession> sslSession;
  private final SecurityLevel securityLevel;
  private final Optional<List<Certificate>> peerCertificates;
  private final boolean requestCompressed;
  private final Map<Key<?>, Object> values;

  private final Metadata responseHeaders = new Metadata();
  private final Metadata responseTrailers = new Metadata();
  private final OneTimeActions cancelActions = new OneTimeActions();
  private final OneTimeActions drainActions = new OneTimeActions();

  /** Why the call was cancelled; null while it is not. */
  private final AtomicReference<@Nullable Status> cancellation = new AtomicReference<>();

  private volatile boolean draining;
  private volatile @Nullable String compression;
  private volatile boolean messageCompression = true;

  private TestCallContext(Builder builder) {
    method = builder.method;
    authority = builder.authority;
    deadline = builder.deadline;
    requestHeaders = builder.requestHeaders.copy();
    peer = builder.peer;
    localAddress = builder.localAddress;
    sslSession = builder.sslSession;
    securityLevel = builder.securityLevel.orElse(levelOf(builder.sslSession));
    peerCertificates = builder.peerCertificates;
    requestCompressed = builder.requestCompressed;
    values = new ConcurrentHashMap<>(builder.values);
  }

  private static SecurityLevel levelOf(Optional<SSLSession> session) {
    return session.isPresent() ? SecurityLevel.PRIVACY_AND_INTEGRITY : SecurityLevel.NONE;
  }

  /** The properties of the call. Not safe for concurrent use. */
  public static final class Builder {
    private @Nullable MethodDescriptor<?, ?> method;
    private String authority = "localhost";
    private Optional<Deadline> deadline = Optional.empty();
    private Metadata requestHeaders = new Metadata();
    private SocketAddress peer = InetSocketAddress.createUnresolved("client.test", 1);
    private SocketAddress localAddress = InetSocketAddress.createUnresolved("server.test", 2);
    private Optional<SSLSession> sslSession = Optional.empty();
    private Optional<SecurityLevel> securityLevel = Optional.empty();
    private Optional<List<Certificate>> peerCertificates = Optional.empty();
    private boolean requestCompressed;
    private final Map<Key<?>, Object> values = new ConcurrentHashMap<>();

    Builder() {}

    /** The called method; a context without one throws when it is asked for it. */
    public Builder method(MethodDescriptor<?, ?> method) {
      this.method = Objects.requireNonNull(method, "method");
      return this;
    }

    /** The {@code :authority} that the client sent; {@code localhost} by default. */
    public Builder authority(String authority) {
      this.authority = Objects.requireNonNull(authority, "authority");
      return this;
    }

    /** The deadline of the call; none by default. */
    public Builder deadline(Deadline deadline) {
      this.deadline = Optional.of(deadline);
      return this;
    }

    /** The metadata of the request, replaces earlier ones; empty by default. */
    public Builder requestHeaders(Metadata headers) {
      requestHeaders = headers.copy();
      return this;
    }

    /** The address of the client; {@code client.test:1}, unresolved, by default. */
    public Builder peer(SocketAddress peer) {
      this.peer = Objects.requireNonNull(peer, "peer");
      return this;
    }

    /** The address of the server; {@code server.test:2}, unresolved, by default. */
    public Builder localAddress(SocketAddress address) {
      this.localAddress = Objects.requireNonNull(address, "address");
      return this;
    }

    /** The connection's TLS session; a plaintext connection by default. */
    public Builder sslSession(SSLSession session) {
      sslSession = Optional.of(session);
      return this;
    }

    /**
     * What the connection protects the call from; {@code PRIVACY_AND_INTEGRITY} by default if there
     * is a {@linkplain #sslSession session}, and otherwise {@code NONE}.
     */
    public Builder securityLevel(SecurityLevel level) {
      securityLevel = Optional.of(level);
      return this;
    }

    /**
     * The certificates of the client, its own first; those of the {@linkplain #sslSession session}
     * by default.
     */
    public Builder peerCertificates(List<? extends Certificate> certificates) {
      peerCertificates = Optional.of(List.copyOf(certificates));
      return this;
    }

    /** The request was compressed. */
    public Builder requestCompressed() {
      requestCompressed = true;
      return this;
    }

    /** A value that an interceptor would have set. */
    public <T> Builder value(Key<T> key, T value) {
      values.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, key.toString()));
      return this;
    }

    /** Creates a context with the properties that were set so far. */
    public TestCallContext build() {
      return new TestCallContext(this);
    }
  }

  /**
   * Cancels the call with {@code CANCELLED}, as its client or the loss of its connection would;
   * otherwise as {@link #cancel(Status)}.
   */
  public void cancel() {
    cancel(Status.CANCELLED.withDescription("the test has cancelled the call"));
  }

  /**
   * Cancels the call for that {@linkplain #cancellation reason}, such as {@code DEADLINE_EXCEEDED};
   * the reason of the first cancellation stays. Runs the {@linkplain #onCancelled registered}
   * actions once, on this thread. A thread that serves the call is not interrupted.
   */
  public void cancel(Status why) {
    cancellation.compareAndSet(null, Objects.requireNonNull(why, "why"));
    cancelActions.run();
  }

  /** Has the server drain: runs what was {@linkplain #onServerDraining registered}; once. */
  public void drainServer() {
    draining = true;
    drainActions.run();
  }

  /** The encoding that was set for the responses; empty if none was. */
  public Optional<String> compression() {
    return Optional.ofNullable(compression);
  }

  /** Whether response messages from now on would be compressed, if the call has an encoding. */
  public boolean messageCompression() {
    return messageCompression;
  }

  @Override
  public MethodDescriptor<?, ?> method() {
    if (method == null) {
      throw new IllegalStateException("this test's context was built without a method");
    }
    return method;
  }

  @Override
  public String authority() {
    return authority;
  }

  @Override
  public Optional<Deadline> deadline() {
    return deadline;
  }

  @Override
  public Metadata requestHeaders() {
    return requestHeaders;
  }

  @Override
  public Metadata responseHeaders() {
    return responseHeaders;
  }

  @Override
  public Metadata responseTrailers() {
    return responseTrailers;
  }

  @Override
  @SuppressWarnings("unchecked") // setValue and the builder only accept a T for a Key<T>
  public <T> Optional<T> value(Key<T> key) {
    return Optional.ofNullable((T) values.get(key));
  }

  @Override
  public <T> void setValue(Key<T> key, T value) {
    values.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, key.toString()));
  }

  @Override
  public SocketAddress peer() {
    return peer;
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return sslSession;
  }

  @Override
  public SecurityLevel securityLevel() {
    return securityLevel;
  }

  @Override
  public List<Certificate> peerCertificates() {
    return peerCertificates.orElseGet(CallContext.super::peerCertificates);
  }

  @Override
  public boolean isCancelled() {
    return cancellation.get() != null;
  }

  @Override
  public Registration onCancelled(Runnable action) {
    return cancelActions.add(Objects.requireNonNull(action, "action"));
  }

  @Override
  public Optional<Status> cancellation() {
    return Optional.ofNullable(cancellation.get());
  }

  @Override
  public boolean isServerDraining() {
    return draining;
  }

  @Override
  public Registration onServerDraining(Runnable action) {
    return drainActions.add(Objects.requireNonNull(action, "action"));
  }

  @Override
  public boolean isRequestCompressed() {
    return requestCompressed;
  }

  @Override
  public void setCompression(String encoding) {
    compression = Objects.requireNonNull(encoding, "encoding");
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    messageCompression = enabled;
  }
}
