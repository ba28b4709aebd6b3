package dev.gannet.examples.observing;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * A line for each request, also for those that no handler sees: {@code 192.0.2.7:51234
 * /demo.Greeter/SayHello OK 3 ms}. For {@code ServerBuilder.addTracer}.
 */
public final class AccessLog implements ServerStreamTracer.Factory {
  private final Logger log;

  /** Writes to this logger. */
  public AccessLog(Logger log) {
    this.log = log;
  }

  @Override
  public ServerStreamTracer newTracer(ServerStreamTracer.Start call) {
    return new Request(log, call.peer() + " " + call.path(), System.nanoTime());
  }

  private record Request(Logger log, String what, long beganNanos) implements ServerStreamTracer {
    @Override
    public void onEnd(Status status, Metadata trailers) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
      log.log(Level.INFO, what + " " + status + " " + millis + " ms");
    }
  }
}
