package dev.gannet.jfr;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls as events of the JDK Flight Recorder, one for each call when it ends:
 *
 * <pre>{@code
 * Server.builder(50051).plaintext().addTracer(JfrCalls.ofServers());
 * ManagedChannel.builder("greeter:50051").addTracer(JfrCalls.ofChannels());
 * }</pre>
 *
 * <p>The events are {@value #SERVER_CALL} and {@value #CLIENT_CALL}. A recording contains them by
 * default; with {@code dev.gannet.ServerCall#threshold=20ms} it only contains slow ones. While they
 * are not recorded, the cost per call is one check of a flag.
 *
 * <p>Messages of in-process calls have no bytes, and their sizes are 0.
 */
public final class JfrCalls {
  /** The name of the event of a call that a server has answered. */
  public static final String SERVER_CALL = "dev.gannet.ServerCall";

  /** The name of the event of a call that a client has made. */
  public static final String CLIENT_CALL = "dev.gannet.ClientCall";

  private JfrCalls() {}

  /** For {@code ServerBuilder.addTracer}. Safe for all threads. */
  public static ServerStreamTracer.Factory ofServers() {
    return JfrCalls::begin;
  }

  /** For {@code ManagedChannelBuilder.addTracer}. Safe for all threads. */
  public static ClientCallTracer.Factory ofChannels() {
    return JfrCalls::begin;
  }

  private static ServerStreamTracer begin(ServerStreamTracer.Start call) {
    ServerCallEvent event = new ServerCallEvent();
    if (!event.isEnabled()) {
      return ServerStreamTracer.none();
    }
    event.begin();
    String path = call.path();
    event.method =
        call.method()
            .map(it -> it.fullMethodName())
            .orElseGet(() -> CallEvent.cut(path.startsWith("/") ? path.substring(1) : path));
    event.peer = call.peer().toString();
    return new OfServer(event);
  }

  private static ClientCallTracer begin(ClientCallTracer.Start call) {
    ClientCallEvent event = new ClientCallEvent();
    if (!event.isEnabled()) {
      return ClientCallTracer.none();
    }
    event.begin();
    event.method = call.method().fullMethodName();
    event.authority = call.authority();
    return new OfClient(event);
  }

  private record OfServer(ServerCallEvent event) implements ServerStreamTracer {
    @Override
    public void onMessageSent(int sequence, long wireBytes, long messageBytes) {
      event.onMessageSent(wireBytes);
    }

    @Override
    public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
      event.onMessageReceived(wireBytes);
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      event.finish(status);
    }
  }

  /** A lock, because attempts may run in parallel, on different event loops. */
  private record OfClient(ClientCallEvent event, ReentrantLock lock) implements ClientCallTracer {
    OfClient(ClientCallEvent event) {
      this(event, new ReentrantLock());
    }

    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      locked(() -> event.attempts++);
      return new OfAttempt(this);
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      locked(() -> event.finish(status));
    }

    void locked(Runnable change) {
      lock.lock();
      try {
        change.run();
      } finally {
        lock.unlock();
      }
    }
  }

  private record OfAttempt(OfClient call) implements ClientStreamTracer {
    @Override
    public void onStreamOpened(Opened stream) {
      call.locked(() -> call.event().peer = stream.peer().toString());
    }

    @Override
    public void onMessageSent(int sequence, long wireBytes, long messageBytes) {
      call.locked(() -> call.event().onMessageSent(wireBytes));
    }

    @Override
    public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
      call.locked(() -> call.event().onMessageReceived(wireBytes));
    }
  }
}
