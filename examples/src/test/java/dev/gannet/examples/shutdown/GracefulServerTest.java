package dev.gannet.examples.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.server.Server;
import dev.gannet.testing.GannetExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that stops lets calls end, for a time. */
final class GracefulServerTest {
  private static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  private BidiStreamingCall<HelloRequest, HelloReply> begin(Server server) {
    BidiStreamingCall<HelloRequest, HelloReply> call =
        GreeterClient.of(gannet.channelTo(server)).converse();
    call.send(ADA);
    call.next();
    return call;
  }

  @Test
  void aRunningCallSucceeds() throws InterruptedException {
    Server server = gannet.serve(new MyGreeter());
    try (BidiStreamingCall<HelloRequest, HelloReply> call = begin(server)) {
      Thread stopping =
          Thread.ofVirtual().start(() -> GracefulServer.stop(server, Duration.ofMinutes(1)));
      while (!server.isShutdown()) {
        Thread.onSpinWait();
      }
      call.send(ADA);
      assertThat(call.next().getMessage()).isEqualTo("Hello Ada");
      call.halfClose();
      assertThat(call.hasNext()).isFalse();
      stopping.join();
    }
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aCallThatDoesNotEndIsCancelled() {
    Server server = gannet.serve(new MyGreeter());
    try (BidiStreamingCall<HelloRequest, HelloReply> call = begin(server)) {
      GracefulServer.stop(server, Duration.ofMillis(50));
      assertThatThrownBy(call::hasNext).hasMessageStartingWith("UNAVAILABLE");
    }
    assertThat(server.isTerminated()).isTrue();
  }
}
