package dev.gannet.client;

import dev.gannet.api.CallContext;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.SecurityLevel;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;

/** A call that a server serves here, in a test's hand. */
public final class ServedCall implements CallContext {
  public final List<Runnable> actions = new ArrayList<>();
  private final Optional<Deadline> deadline;
  private boolean cancelled;

  public ServedCall(Optional<Deadline> deadline) {
    this.deadline = deadline;
  }

  public ServedCall(Deadline deadline) {
    this(Optional.of(deadline));
  }

  /** What is made by its handler. */
  public <T> T makes(Supplier<T> maker) {
    AtomicReference<T> made = new AtomicReference<>();
    run(() -> made.set(maker.get()));
    return made.get();
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  /** Its client has given up. */
  public void cancel() {
    cancelled = true;
    List.copyOf(actions).forEach(Runnable::run);
  }

  @Override
  public Registration onCancelled(Runnable action) {
    if (cancelled) {
      action.run();
    } else {
      actions.add(action);
    }
    return () -> actions.remove(action);
  }

  @Override
  public Optional<Deadline> deadline() {
    return deadline;
  }

  @Override
  public MethodDescriptor<?, ?> method() {
    return TestChannel.UNARY;
  }

  @Override
  public String authority() {
    return "here";
  }

  @Override
  public Metadata requestHeaders() {
    return new Metadata();
  }

  @Override
  public Metadata responseHeaders() {
    return new Metadata();
  }

  @Override
  public Metadata responseTrailers() {
    return new Metadata();
  }

  @Override
  public SocketAddress peer() {
    return TestResolver.address(1);
  }

  @Override
  public SocketAddress localAddress() {
    return TestResolver.address(2);
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return Optional.empty();
  }

  @Override
  public SecurityLevel securityLevel() {
    return SecurityLevel.NONE;
  }

  @Override
  public boolean isRequestCompressed() {
    return false;
  }

  @Override
  public void setCompression(String encoding) {}

  @Override
  public void setMessageCompression(boolean enabled) {}

  @Override
  public <T> Optional<T> value(Key<T> key) {
    return Optional.empty();
  }

  @Override
  public <T> void setValue(Key<T> key, T value) {
    throw new IllegalStateException("no interceptor runs here");
  }
}
