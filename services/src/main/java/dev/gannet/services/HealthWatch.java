package dev.gannet.services;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthCheckResponse;
import dev.gannet.services.health.v1.HealthCheckResponse.ServingStatus;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One client's watch of one service. Any thread may call {@link #tell} and {@link #end}, which
 * never block: a virtual thread, which exists only while there is something to send, sends the
 * newest status, because interceptors may block. For a slow client the newest status waits until it
 * can be sent, and occupies no thread.
 *
 * <pre>
 *   IDLE ──news──► SENDING ──news──► NEWER
 *     ▲──────sent─────┘▲──────sent─────┘
 *
 *   each ──closed, failed, cancelled──► ENDED
 * </pre>
 */
final class HealthWatch implements ServerCall.Listener<HealthCheckRequest> {
  private static final HealthCheckResponse NOT_KNOWN =
      HealthCheckResponse.newBuilder().setStatus(ServingStatus.SERVICE_UNKNOWN).build();

  private static final ThreadFactory SENDERS =
      Thread.ofVirtual().name("gannet-health").inheritInheritableThreadLocals(false).factory();

  private enum State {
    /** No thread sends: the client has the newest status, or cannot receive it now. */
    IDLE,
    /** One thread sends. */
    SENDING,
    /** One thread sends, and has to check again afterwards. */
    NEWER,
    /** Nothing is sent any more. */
    ENDED;

    State news() {
      return switch (this) {
        case IDLE -> SENDING;
        case SENDING, NEWER -> NEWER;
        case ENDED -> ENDED;
      };
    }

    /** No thread could be started to send. */
    State unsent() {
      return this == ENDED ? ENDED : IDLE;
    }

    State sent() {
      return switch (this) {
        case IDLE, SENDING -> IDLE;
        case NEWER -> SENDING;
        case ENDED -> ENDED;
      };
    }
  }

  private final HealthService health;
  private final ServerCall<HealthCheckRequest, HealthCheckResponse> call;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

  // Both are written before the sending thread is started or has to check again.
  private volatile @Nullable String service;
  private volatile @Nullable Status ending;

  /** What the client has. Used by the sending thread only. */
  private @Nullable HealthCheckResponse sent;

  HealthWatch(HealthService health, ServerCall<HealthCheckRequest, HealthCheckResponse> call) {
    this.health = health;
    this.call = call;
    call.request(1);
  }

  @Override
  public void onMessage(HealthCheckRequest request) {
    service = request.getService();
  }

  @Override
  public void onHalfClose() {
    health.begin(this);
  }

  @Override
  public void onReady() {
    tell();
  }

  @Override
  public void onCancel() {
    leave();
  }

  @Override
  public void onComplete() {
    leave();
  }

  /** Has the current status sent, if the client does not have it and can receive it. */
  void tell() {
    if (state.getAndUpdate(State::news) == State.IDLE) {
      startSending();
    }
  }

  /** Has the watch ended, after the newest status. */
  void end(Status status) {
    ending = status;
    tell();
  }

  private void startSending() {
    boolean started = false;
    try {
      SENDERS.newThread(this::send).start();
      started = true;
    } finally {
      if (!started) { // for lack of memory
        state.getAndUpdate(State::unsent);
      }
    }
  }

  /** Catches what interceptors and the marshaller throw. */
  private void send() {
    try {
      call.context().run(this::sendUntilNothingIsNewer);
    } catch (Throwable e) {
      leave();
      call.fail(e);
    }
  }

  private void sendUntilNothingIsNewer() {
    do {
      sendNewest();
    } while (state.getAndUpdate(State::sent) == State.NEWER);
  }

  private void sendNewest() {
    Status last = ending; // before the status: no older one is the last
    if (last != null || call.isReady()) {
      sendStatus();
    }
    if (last != null) {
      leave();
      call.close(last, new Metadata());
    }
  }

  private void sendStatus() {
    String watched = service;
    if (watched == null) {
      return;
    }
    HealthCheckResponse now = health.status(watched).map(HealthStatus::response).orElse(NOT_KNOWN);
    if (!now.equals(sent)) {
      sent = now;
      call.sendMessage(now);
    }
  }

  private void leave() {
    state.set(State.ENDED);
    health.forget(this);
  }
}
