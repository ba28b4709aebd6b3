package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ClientStreamingCall;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking streams on a connection in the test's hand. */
@Timeout(60)
final class BlockingStreamsTest {
  private static final MethodDescriptor<String, String> COLLECT =
      TestChannel.method(MethodType.CLIENT_STREAMING);

  private final TestChannel test = new TestChannel();

  private BidiStreamingCall<String, String> converse(Channel channel) {
    test.connected();
    return BlockingCalls.bidiStreaming(channel, TestChannel.BIDI, CallOptions.DEFAULT);
  }

  private ClientStreamingCall<String, String> collect(Channel channel) {
    test.connected();
    return BlockingCalls.clientStreaming(channel, COLLECT, CallOptions.DEFAULT);
  }

  private FakeStream<?> stream() {
    return test.dial().transport.stream();
  }

  @Test
  void aReadThatDoesNotWaitSeesWhatHasArrived() throws TimeoutException {
    BidiStreamingCall<String, String> call = converse(test.channel());
    assertThatThrownBy(() -> call.hasNext(Duration.ZERO)).isInstanceOf(TimeoutException.class);

    stream().answersHeaders();
    stream().answers("a");
    assertThat(call.hasNext(Duration.ZERO)).isTrue();
    assertThat(call.next()).isEqualTo("a");
    assertThatThrownBy(() -> call.hasNext(Duration.ZERO)).isInstanceOf(TimeoutException.class);

    stream().endsWith(Status.OK);
    assertThat(call.hasNext(Duration.ZERO)).isFalse();
  }

  @Test
  void aReadThatDoesNotWaitSeesTheFailure() {
    BidiStreamingCall<String, String> call = converse(test.channel());
    stream().endsWith(Status.DATA_LOSS);
    assertThatThrownBy(() -> call.hasNext(Duration.ZERO))
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.DATA_LOSS));
  }

  @Test
  void aFinishThatDoesNotWaitReturnsAResponseThatHasArrived() throws TimeoutException {
    ClientStreamingCall<String, String> call = collect(test.channel());
    assertThatThrownBy(() -> call.finish(Duration.ZERO)).isInstanceOf(TimeoutException.class);

    stream().answersWhole("all");
    assertThat(call.finish(Duration.ZERO)).isEqualTo("all");
  }
}
