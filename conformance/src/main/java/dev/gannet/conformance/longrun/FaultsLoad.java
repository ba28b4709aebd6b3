package dev.gannet.conformance.longrun;

import com.google.protobuf.ByteString;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.TestServiceMethods;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts calls of four kinds at a fixed rate, independently of the ends of earlier calls, each with
 * a deadline. Thread-safe.
 */
final class FaultsLoad implements AutoCloseable {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(3);
  private static final int RESPONSES = 5;
  private static final int ROUND_TRIPS = 3;
  private static final Payload PAYLOAD =
      Payload.newBuilder().setBody(ByteString.copyFrom(new byte[100])).build();

  private final ManagedChannel channel;
  private final long intervalNanos;
  private final Thread caller;
  private volatile FaultsPhase phase = new FaultsPhase();
  private volatile boolean over;

  FaultsLoad(ManagedChannel channel, int callsPerSecond) {
    this.channel = channel;
    intervalNanos = TimeUnit.SECONDS.toNanos(1) / callsPerSecond;
    caller = Thread.ofPlatform().daemon().name("faults load").start(this::callOn);
  }

  /** Calls that start from now on belong to a new phase. */
  FaultsPhase enter() {
    FaultsPhase entered = new FaultsPhase();
    phase = entered;
    return entered;
  }

  @Override
  public void close() {
    over = true;
    try {
      caller.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void callOn() {
    long dueNanos = System.nanoTime();
    for (int i = 0; !over; i++) {
      for (long left = dueNanos - System.nanoTime();
          left > 0;
          left = dueNanos - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      begin(i % 4);
      dueNanos += intervalNanos;
    }
  }

  private void begin(int kind) {
    StreamingOutputCallRequest.Builder request =
        StreamingOutputCallRequest.newBuilder().setPayload(PAYLOAD);
    CallOptions waiting = CallOptions.DEFAULT.withWaitForReady(true);
    SimpleRequest unary = SimpleRequest.newBuilder().setPayload(PAYLOAD).build();
    switch (kind) {
      case 0 -> begin(TestServiceMethods.UNARY_CALL, CallOptions.DEFAULT, SHORT, 1, unary);
      case 1 -> begin(TestServiceMethods.UNARY_CALL, waiting, LONG, 1, unary);
      case 2 -> {
        for (int i = 0; i < RESPONSES; i++) {
          request.addResponseParameters(ResponseParameters.newBuilder().setSize(1));
        }
        begin(
            TestServiceMethods.STREAMING_OUTPUT_CALL,
            CallOptions.DEFAULT,
            LONG,
            1,
            request.build());
      }
      default ->
          begin(
              TestServiceMethods.FULL_DUPLEX_CALL,
              CallOptions.DEFAULT,
              LONG,
              ROUND_TRIPS,
              request.build());
    }
  }

  private <Q, R> void begin(
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Duration timeout,
      int requests,
      Q request) {
    ClientCall<Q, R> call = channel.newCall(method, options.withDeadline(timeout));
    Course<Q, R> course = new Course<>(phase, call, request, requests, timeout);
    call.start(course);
    call.request(RESPONSES);
    course.send();
  }

  /** One call, which sends its request several times, the next one after each response. */
  private static final class Course<Q, R> implements ClientCall.Listener<R> {
    private final FaultsPhase phase;
    private final ClientCall<Q, R> call;
    private final Q request;
    private final long beganNanos = System.nanoTime();
    private final long deadlineNanos;
    private int left;

    Course(FaultsPhase phase, ClientCall<Q, R> call, Q request, int requests, Duration timeout) {
      this.phase = phase;
      this.call = call;
      this.request = request;
      this.left = requests;
      this.deadlineNanos = beganNanos + timeout.toNanos();
      phase.onBegin();
    }

    void send() {
      left--;
      boolean last = left == 0;
      call.sendMessage(request);
      if (last) {
        call.halfClose();
      }
    }

    @Override
    public void onMessage(R message) {
      if (left > 0) {
        send();
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      phase.onEnd(new FaultsPhase.End(beganNanos, deadlineNanos, System.nanoTime(), status.code()));
    }
  }
}
