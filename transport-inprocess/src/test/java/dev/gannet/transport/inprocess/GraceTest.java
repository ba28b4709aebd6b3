package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a client hears that reads late, after the server's limit has ended its call. */
final class GraceTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final String SLOW = "takes a second to write";

  /** An attempt that fails is followed by another one as long as 4 of 6 tokens are left. */
  private static final ServiceConfig RETRYING =
      ServiceConfig.builder()
          .forAllMethods(
              MethodConfig.builder()
                  .retryPolicy(
                      RetryPolicy.of(2, Status.Code.DEADLINE_EXCEEDED)
                          .withInitialBackoff(SECOND)
                          .withMaxBackoff(SECOND)
                          .withBackoffMultiplier(1))
                  .build())
          .retryThrottling(RetryThrottling.of(6, 0.001))
          .build();

  private final World world = new World();
  private final Handler handler = new Handler(0);
  private final Heard heard = new Heard();

  /** Writes one of the texts so slowly that the server's limit ends the call meanwhile. */
  private record Slow(World world) implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      if (message.equals(SLOW)) {
        world.loop().advance(SECOND);
      }
      Texts.WRITTEN.write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return Texts.WRITTEN.parse(bytes);
    }
  }

  @Test
  void aMessageThatComesTooLateDoesNotMakeTheEndComeTwice() {
    MethodDescriptor<String, String> method =
        Texts.method(MethodType.BIDI_STREAMING, new Slow(world));
    World.start(world.serverBuilder(method, handler).maxCallDuration(SECOND));
    ManagedChannel channel = world.channelBuilder().defaultServiceConfig(RETRYING).build();
    ClientCall<String, String> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(heard);
    world.run();
    handler.only().call().sendMessage("in time");
    handler.only().call().sendMessage(SLOW);
    call.request(2);
    world.run();
    assertThat(heard.messages()).containsExactly("in time");
    assertThat(heard.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    world.loop().advance(GRACE);

    World.begin(channel, method, CallOptions.DEFAULT, new Metadata(), new Heard());
    world.run();
    handler.calls().get(1).call().close(Status.DEADLINE_EXCEEDED, new Metadata());
    world.loop().advance(SECOND.multipliedBy(2));
    assertThat(handler.calls()).as("the failed attempt is retried").hasSize(3);
  }
}
