package dev.gannet.testing;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.Subchannel;
import java.util.Objects;

/**
 * A call that a policy keeps open on a {@link FakeSubchannel}: the test says what its server does.
 * For the thread of the test.
 */
public final class FakeWatch implements Registration {
  private final PolicyTestbed channel;
  private final MethodDescriptor<?, ?> method;
  private final Object request;
  private final Subchannel.Watcher<Object> watcher;
  private boolean isStopped;

  @SuppressWarnings("unchecked") // the test sends messages of the right type
  FakeWatch(
      PolicyTestbed channel,
      MethodDescriptor<?, ?> method,
      Object request,
      Subchannel.Watcher<?> watcher) {
    this.channel = channel;
    this.method = method;
    this.request = Objects.requireNonNull(request, "request");
    this.watcher = (Subchannel.Watcher<Object>) Objects.requireNonNull(watcher, "watcher");
  }

  /** For the policy. */
  @Override
  public void close() {
    isStopped = true;
  }

  /** The method that is called. */
  public MethodDescriptor<?, ?> method() {
    return method;
  }

  /** The request message. */
  public Object request() {
    return request;
  }

  /** Whether the policy has stopped the call. */
  public boolean isStopped() {
    return isStopped;
  }

  /** The call starts, or starts again on a new connection. */
  public void opens() {
    deliver(watcher::onOpened);
  }

  /** The server sends a message, which must be of the method's type. */
  public void sends(Object message) {
    deliver(() -> watcher.onMessage(message));
  }

  /** The server ends the call. */
  public void ends(Status why) {
    deliver(() -> watcher.onEnded(why));
  }

  private void deliver(Runnable event) {
    channel.run(() -> {
      if (!isStopped) {
        event.run();
      }
    });
  }

  @Override
  public String toString() {
    return "a watch of " + method.fullMethodName() + (isStopped ? " (stopped)" : "");
  }
}
