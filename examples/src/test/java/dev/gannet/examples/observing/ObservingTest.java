package dev.gannet.examples.observing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.examples.greeter.RepeatRequest;
import dev.gannet.examples.observing.CallMetrics.Series;
import dev.gannet.examples.routeguide.Point;
import dev.gannet.examples.routeguide.RouteGuideClient;
import dev.gannet.server.Server;
import dev.gannet.testing.GannetExtension;
import java.lang.System.Logger;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every call is seen, whether a handler or the library answers it. */
final class ObservingTest {
  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  private record Lines(List<String> lines, Runnable before) implements Logger {
    @Override
    public String getName() {
      return "access";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      before.run();
      lines.add(message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      before.run();
      lines.add(format);
    }
  }

  @Test
  void theAccessLogContainsEveryCall() {
    Lines log = new Lines(new CopyOnWriteArrayList<>(), () -> {});
    Server server = gannet.serve(it -> it.add(new MyGreeter()).addTracer(new AccessLog(log)));
    var channel = gannet.channelTo(server);
    GreeterClient.of(channel).sayHello(HelloRequest.getDefaultInstance());
    assertThatThrownBy(() -> RouteGuideClient.of(channel).getPlace(Point.getDefaultInstance()))
        .hasMessageStartingWith("UNIMPLEMENTED");
    while (log.lines().size() < 2) {
      Thread.onSpinWait(); // an answer may arrive before the line about it is written
    }
    assertThat(log.lines())
        .anyMatch(it ->
            it.matches("/127.0.0.1:\\d+ /gannet.examples.greeter.Greeter/SayHello OK \\d+ ms"))
        .anyMatch(
            it -> it.contains("/gannet.examples.routeguide.RouteGuide/GetPlace UNIMPLEMENTED"));
  }

  /** Of a call that a server has served. */
  private ServerStreamTracer.Start aCall() {
    CompletableFuture<ServerStreamTracer.Start> seen = new CompletableFuture<>();
    Server server =
        gannet.serve(it ->
            it.add(new MyGreeter())
                .addTracer(call -> {
                  seen.complete(call);
                  return ServerStreamTracer.none();
                }));
    GreeterClient.of(gannet.channelTo(server)).sayHello(HelloRequest.getDefaultInstance());
    return seen.join();
  }

  @Test
  void linesForWhichThereIsNoRoomAreDroppedAndCounted() {
    ServerStreamTracer.Start call = aCall();
    CompletableFuture<Void> diskIsFast = new CompletableFuture<>();
    Lines log = new Lines(new CopyOnWriteArrayList<>(), diskIsFast::join);
    int calls = 10_050;
    AccessLog accessLog = new AccessLog(log);
    for (int i = 0; i < calls; i++) {
      accessLog.newTracer(call).onEnd(Status.OK, new Metadata()); // does not wait
    }
    assertThat(accessLog.dropped()).isBetween(1L, 50L);
    diskIsFast.complete(null);
    accessLog.close();
    assertThat(log.lines()).hasSize(calls - (int) accessLog.dropped());
  }

  @Test
  void aLineThatTheLoggerFailsToWriteIsCountedAndTheNextOnesAreWritten() {
    ServerStreamTracer.Start call = aCall();
    AtomicBoolean works = new AtomicBoolean();
    Lines log =
        new Lines(
            new CopyOnWriteArrayList<>(),
            () -> {
              if (!works.getAndSet(true)) {
                throw new IllegalStateException("the disk is full");
              }
            });
    AccessLog accessLog = new AccessLog(log);
    for (int i = 0; i < 3; i++) {
      accessLog.newTracer(call).onEnd(Status.OK, new Metadata());
    }
    accessLog.close();
    assertThat(log.lines()).hasSize(2);
    assertThat(accessLog.dropped()).isOne();
  }

  @Test
  @Timeout(20)
  void closingDoesNotWaitForAWriterThatHasEnded() {
    ServerStreamTracer.Start call = aCall();
    Lines log = new Lines(new CopyOnWriteArrayList<>(), () -> Thread.currentThread().interrupt());
    AccessLog accessLog = new AccessLog(log);
    while (accessLog.dropped() == 0) { // until there is no room
      accessLog.newTracer(call).onEnd(Status.OK, new Metadata());
    }
    accessLog.close();
    assertThat(log.lines()).hasSize(1);
  }

  @Test
  void callsAreCountedByMethodAndStatus() {
    CallMetrics metrics = new CallMetrics();
    var channel = gannet.channelTo(gannet.serve(new MyGreeter()), it -> it.addTracer(metrics));
    GreeterClient greeter = GreeterClient.of(channel);
    greeter.sayHello(HelloRequest.newBuilder().setName("Ada").build());
    greeter.sayHello(HelloRequest.newBuilder().setName("Grace").build());
    assertThatThrownBy(
            () -> greeter.repeatHello(RepeatRequest.newBuilder().setTimes(-1).build()).hasNext())
        .hasMessageStartingWith("INVALID_ARGUMENT");
    Series good = new Series("gannet.examples.greeter.Greeter/SayHello", Status.Code.OK);
    assertThat(metrics.calls(good)).isEqualTo(2);
    assertThat(metrics.time(good)).isPositive();
    assertThat(metrics.receivedBytes(good)).isEqualTo(11 + 13);
    Series bad =
        new Series("gannet.examples.greeter.Greeter/RepeatHello", Status.Code.INVALID_ARGUMENT);
    assertThat(metrics.calls(bad)).isOne();
  }
}
