package dev.gannet.services;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthCheckResponse;
import dev.gannet.services.health.v1.HealthCheckResponse.ServingStatus;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One client's watch of one service. Occupies no thread: the thread that changes a status sends it;
 * for a slow client the newest status waits until it can be sent.
 *
 * <p>Any thread may call {@link #tell} and {@link #end}; a lock ensures that only one thread sends
 * at a time.
 */
final class HealthWatch implements ServerCall.Listener<HealthCheckRequest> {
  private static final HealthCheckResponse NOT_KNOWN =
      HealthCheckResponse.newBuilder().setStatus(ServingStatus.SERVICE_UNKNOWN).build();

  private final HealthService health;
  private final ServerCall<HealthCheckRequest, HealthCheckResponse> call;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable String service;
  private @Nullable HealthCheckResponse told;
  private boolean ended;

  HealthWatch(HealthService health, ServerCall<HealthCheckRequest, HealthCheckResponse> call) {
    this.health = health;
    this.call = call;
    call.request(1);
  }

  @Override
  public void onMessage(HealthCheckRequest request) {
    lock.lock();
    try {
      service = request.getService();
    } finally {
      lock.unlock();
    }
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
    health.end(this);
  }

  @Override
  public void onComplete() {
    health.end(this);
  }

  /** Sends the current status, if the client does not have it and can receive it. */
  void tell() {
    lock.lock();
    try {
      if (call.isReady()) {
        tellNow();
      }
    } finally {
      lock.unlock();
    }
  }

  private void tellNow() {
    if (service == null || ended) {
      return;
    }
    HealthCheckResponse now = health.status(service).map(HealthStatus::response).orElse(NOT_KNOWN);
    if (!now.equals(told)) {
      told = now;
      call.sendMessage(now);
    }
  }

  /** Ends the watch, after the newest status. */
  void end(Status status) {
    lock.lock();
    try {
      tellNow();
      if (!ended) {
        ended = true;
        call.close(status, new Metadata());
      }
    } finally {
      lock.unlock();
    }
    health.end(this);
  }

  /** Ends the watch because its call, or an interceptor of it, has thrown that. */
  void fail(Throwable thrown) {
    health.end(this);
    lock.lock();
    try {
      ended = true;
    } finally {
      lock.unlock();
    }
    call.fail(thrown);
  }
}
