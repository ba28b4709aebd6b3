package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ClientStreamingCall;
import java.time.Duration;
import java.util.List;
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

  // Waits that take no time.

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

  // A server that answers early.

  @Test
  void messagesAfterAnEarlyAnswerAreDropped() {
    ClientStreamingCall<String, String> call = collect(test.channel());
    stream().ready = true;
    call.send("first");
    assertThat(call.isAnswered()).isFalse();
    stream().ready = false;
    stream().answersWhole("all");
    call.send("second");
    assertThat(call.isAnswered()).isTrue();
    assertThat(call.isReady()).isFalse();
    assertThat(call.finish()).isEqualTo("all");
    assertThat(stream().told).contains("first").doesNotContain("second");
  }

  @Test
  void messagesAfterAnEarlyFailureAreRefused() {
    ClientStreamingCall<String, String> call = collect(test.channel());
    stream().endsWith(Status.DATA_LOSS);
    assertThatThrownBy(() -> call.send("first"))
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.DATA_LOSS));
    assertThat(call.isAnswered()).isTrue();
  }

  // The end of the requests.

  /** Sends a last message when the caller has sent all of its own. */
  private static final class AppendingLast implements ClientInterceptor {
    @Override
    @SuppressWarnings("unchecked") // all requests of these tests are texts
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void halfClose() {
          super.sendMessage((Q) "last");
          super.halfClose();
        }
      };
    }
  }

  private Channel appending() {
    return ClientInterceptor.intercept(test.channel(), List.of(new AppendingLast()));
  }

  @Test
  void aFinishThatIsRepeatedHalfClosesOnce() throws TimeoutException {
    ClientStreamingCall<String, String> call = collect(appending());
    stream().ready = true;
    call.send("first");
    assertThatThrownBy(() -> call.finish(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> call.finish(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    assertThat(stream().told)
        .filteredOn(it -> !it.equals("flush"))
        .containsExactly("first", "last", "half-close");

    stream().answersWhole("all");
    assertThat(call.finish()).isEqualTo("all");
  }

  @Test
  void aHalfCloseThatIsRepeatedDoesNothing() {
    BidiStreamingCall<String, String> call = converse(appending());
    stream().ready = true;
    call.send("first");
    call.halfClose();
    call.halfClose();
    assertThat(stream().told)
        .filteredOn(it -> !it.equals("flush"))
        .containsExactly("first", "last", "half-close");
  }
}
