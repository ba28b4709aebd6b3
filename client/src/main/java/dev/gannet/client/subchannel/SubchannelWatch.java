package dev.gannet.client.subchannel;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.engine.Backoff;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.credentials.CredentialHeaders;
import dev.gannet.client.credentials.EarlierAttempts;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallInbox;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call that is kept open on a subchannel's connection, for health or load reports of the server.
 *
 * <pre>
 *   CLOSED ──connection ready──► OPEN ──ended by the server──► BACKING OFF
 *                   UNIMPLEMENTED │ ▲                               │
 *                                 │ └──────────after a time─────────┘
 *                                 ▼
 *                              UNSERVED
 *
 *   OPEN, BACKING OFF, UNSERVED ──connection going away──► CLOSED
 *   any ──stop, shutdown of the subchannel──► OVER
 * </pre>
 *
 * <p>States change in the channel's tasks. The call's events arrive on the connection's loop, one
 * message at a time: the next is requested when the watcher has received the previous one. The call
 * has one of the streams that the server allows (gRFC A17), so {@link ReadyConnections} count it.
 */
final class SubchannelWatch<Q, R> implements Registration {
  private static final int MAX_MESSAGE_BYTES = 64 << 10;

  /**
   * Limits the work that a server can cause by repeatedly sending a message and ending the call.
   */
  private static final long MIN_NANOS_BETWEEN_CALLS = Duration.ofSeconds(1).toNanos();

  private static final Status STOPPED = Status.CANCELLED.withDescription("the watch was stopped");

  /** Provides the connection, and receives the events. */
  interface Owner {
    SerialTasks tasks();

    /** Runs the policy's callbacks; in a task. */
    Executor policy();

    /** What counts the streams of the subchannel's connections. Any thread. */
    ReadyConnections ready();

    /** In a task. */
    void onUnserved(Status why, String fullMethodName);

    /** The watch has ended; in a task. */
    void forget(SubchannelWatch<?, ?> watch);
  }

  private sealed interface State {
    record Closed() implements State {
      @Override
      public void stop() {}
    }

    record Open(Call<?, ?> call) implements State {
      @Override
      public void stop() {
        call.cancel();
      }
    }

    record BackingOff(ClientTransport transport, Scheduler.Cancellable timer) implements State {
      @Override
      public void stop() {
        timer.cancel();
      }
    }

    record Unserved(ClientTransport transport) implements State {
      @Override
      public void stop() {}
    }

    record Over() implements State {
      @Override
      public void stop() {}
    }

    void stop();
  }

  private final ChannelSettings settings;
  private final Owner owner;
  private final MethodDescriptor<Q, R> method;
  private final Q request;
  private final Subchannel.Watcher<R> watcher;
  private final Backoff backoff = new Backoff();
  private State state = new State.Closed();

  SubchannelWatch(
      ChannelSettings settings,
      Owner owner,
      MethodDescriptor<Q, R> method,
      Q request,
      Subchannel.Watcher<R> watcher) {
    this.settings = settings;
    this.owner = owner;
    this.method = method;
    this.request = request;
    this.watcher = watcher;
  }

  @Override
  public void close() {
    owner.tasks().run(this::stopInTask);
  }

  void stopInTask() {
    changeTo(new State.Over());
    owner.forget(this);
  }

  private void changeTo(State next) {
    State before = state;
    state = next;
    owner.tasks().afterwards(before::stop);
  }

  /**
   * The connection accepts calls. Called in a task.
   *
   * @return an action to be run outside the task
   */
  Runnable opening(ClientTransport transport) {
    if (!(state instanceof State.Closed)) {
      return () -> {};
    }
    Call<Q, R> call = new Call<>(this, transport);
    state = new State.Open(call);
    owner.policy().execute(watcher::onOpened);
    return call::start;
  }

  /** The connection accepts no more calls. Called in a task. */
  void onGoingAway(ClientTransport transport) {
    if (isOn(transport)) {
      backoff.reset();
      changeTo(new State.Closed());
    }
  }

  private boolean isOn(ClientTransport transport) {
    return switch (state) {
      case State.Open open -> open.call().transport.equals(transport);
      case State.BackingOff backingOff -> backingOff.transport().equals(transport);
      case State.Unserved unserved -> unserved.transport().equals(transport);
      case State.Closed closed -> false;
      case State.Over over -> false;
    };
  }

  private boolean isOpen(Call<?, ?> call) {
    return state instanceof State.Open open && open.call() == call;
  }

  /** Reports an event of the call, if it is still the current one. */
  private void report(Call<?, ?> call, Runnable what) {
    owner
        .tasks()
        .run(() -> {
          if (isOpen(call)) {
            what.run();
          }
        });
  }

  private void onMessage(Call<Q, R> call, R message) {
    report(
        call,
        () -> {
          backoff.reset();
          call.hasHeard = true;
          owner.policy().execute(() -> watcher.onMessage(message));
          owner.tasks().afterwards(call::requestNext);
        });
  }

  private void onEnded(Call<Q, R> call, Status why) {
    report(
        call,
        () -> {
          if (why.code() == Status.Code.UNIMPLEMENTED) {
            state = new State.Unserved(call.transport);
            owner.onUnserved(why, method.fullMethodName());
          } else {
            backOff(call);
          }
          owner.policy().execute(() -> watcher.onEnded(why));
        });
  }

  private void backOff(Call<Q, R> call) {
    long now = settings.scheduler().nanoTime();
    long delayNanos =
        call.hasHeard
            ? Math.max(0, call.startedNanos + MIN_NANOS_BETWEEN_CALLS - now)
            : backoff.nextDelayNanos(settings.scheduler().random());
    ClientTransport transport = call.transport;
    state = new State.Closed();
    try {
      Scheduler.Cancellable timer =
          settings
              .scheduler()
              .schedule(() -> owner.tasks().run(() -> reopen(transport)), delayNanos);
      state = new State.BackingOff(transport, timer);
    } catch (RuntimeException | Error e) {
      owner.tasks().afterwards(opening(transport)); // without a timer it continues at once
    }
  }

  /**
   * The next call may begin at once, and the backoff after it is the first one again. In a task.
   */
  void endBackoff() {
    backoff.reset();
    if (state instanceof State.BackingOff backingOff) {
      changeTo(new State.Closed());
      owner.tasks().afterwards(opening(backingOff.transport()));
    }
  }

  private void reopen(ClientTransport transport) {
    if (state instanceof State.BackingOff && isOn(transport)) {
      state = new State.Closed();
      owner.tasks().afterwards(opening(transport));
    }
  }

  /** One call. */
  private static final class Call<Q, R> extends CallInbox implements ClientCallEventListener {
    private final SubchannelWatch<Q, R> watch;
    private final ClientTransport transport;
    private final long startedNanos;
    private final AtomicReference<@Nullable ClientStream<Q>> stream = new AtomicReference<>();

    /** Only used in tasks. */
    private boolean hasHeard;

    /** Whether it was cancelled, possibly before it had its stream. */
    private volatile boolean cancelled;

    Call(SubchannelWatch<Q, R> watch, ClientTransport transport) {
      this.watch = watch;
      this.transport = transport;
      this.startedNanos = watch.settings.scheduler().nanoTime();
    }

    void start() {
      CallStart<Q, R> start =
          new CallStart<>(
              watch.method,
              Optional.empty(),
              new Metadata(),
              Optional.empty(),
              new CallMessages(MessageEncoding.IDENTITY, MAX_MESSAGE_BYTES, Integer.MAX_VALUE));
      Optional<CallCredentials> credentials = watch.settings.security().callCredentials();
      if (credentials.isEmpty()) {
        open(start);
      } else {
        openWith(credentials.get(), start);
      }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles every failure
    private void openWith(CallCredentials credentials, CallStart<Q, R> start) {
      CredentialHeaders.of(
              start,
              start.authorityOn(transport),
              CallOptions.DEFAULT,
              watch.settings,
              EarlierAttempts.NONE,
              credentials)
          .whenComplete((found, thrown) -> {
            if (found == null) {
              watch.onEnded(this, CredentialHeaders.whyNot(credentials, thrown));
            } else {
              open(start.withHeaders(found));
            }
          });
    }

    private void open(CallStart<Q, R> start) {
      if (cancelled) {
        return;
      }
      ReadyConnections counting = watch.owner.ready();
      ClientCallEventListener counted = counting.counted(transport, this);
      try {
        ClientStream<Q> opened = transport.open(start, counted);
        stream.set(opened);
        opened.send(watch.request, false);
        opened.halfClose();
        opened.flush();
        countAgain(counting, counted);
        requestNext();
        if (cancelled) { // write-then-check with cancel: the stream first, then cancelled
          opened.cancel(STOPPED);
        }
      } catch (Throwable e) {
        Status why =
            Status.INTERNAL
                .withDescription("the health or load watch cannot be started")
                .withCause(e);
        watch.onEnded(this, why);
        cancel();
        if (counted instanceof TrackedCallListener tracked) {
          tracked.end(why); // the stream may not report it
        }
      }
    }

    /**
     * Another pool may have come in place of the one that was asked, and have counted the streams
     * of the connection before this one was among them.
     */
    @SuppressWarnings("ReferenceEquality") // unless it has been counted since
    private void countAgain(ReadyConnections before, ClientCallEventListener counted) {
      ReadyConnections now = watch.owner.ready();
      if (now != before && !(now instanceof SingleConnection)) {
        transport.spreadCalls(call -> call == counted ? now.counted(transport, this) : call);
      }
    }

    void requestNext() {
      ClientStream<Q> opened = stream.get();
      if (opened != null) {
        request(1);
        opened.requested();
      }
    }

    void cancel() {
      cancelled = true; // write-then-check with open: cancelled first, then the stream
      ClientStream<Q> opened = stream.get();
      if (opened != null) {
        opened.cancel(STOPPED);
      }
    }

    @Override
    protected void execute() {
      run();
    }

    @Override
    protected void receive(CallEvent event) {
      if (event instanceof CallEvent.Message message) {
        read(message);
      } else if (event instanceof CallEvent.Closed closed) {
        watch.onEnded(this, closed.status());
      }
    }

    private void read(CallEvent.Message message) {
      R read;
      try {
        read = message.take(watch.method.responseMarshaller());
      } catch (Throwable e) {
        Status why =
            Status.INTERNAL
                .withDescription("a message of the health or load watch cannot be parsed")
                .withCause(e);
        watch.onEnded(this, why);
        cancel();
        return;
      }
      ClientStream<Q> opened = stream.get();
      if (opened != null) {
        opened.consumed(message.heldBytes());
      }
      watch.onMessage(this, read);
    }

    @Override
    public void flush() {
      wake();
    }

    @Override
    public Optional<RetryTarget> onNotProcessed(NotProcessed how, Status why) {
      return Optional.empty();
    }
  }
}
