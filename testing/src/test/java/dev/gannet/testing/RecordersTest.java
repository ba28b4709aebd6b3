package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.SubmissionPublisher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Recorders wait with a bound, and say what there was when it is over. */
@Timeout(60)
final class RecordersTest {
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(20);

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  @Test
  void anObserverRecordsAStream() throws InterruptedException {
    ManagedChannel channel = gannet.channelTo(Words.echo());
    StreamRecorder<String> recorder = StreamRecorder.create();
    StreamObserver<String> requests =
        ObserverCalls.bidiStreaming(channel, Words.TALK, CallOptions.DEFAULT, recorder);
    requests.onNext("a");
    assertThat(recorder.next(BOUND)).isEqualTo("a");
    assertThatThrownBy(() -> recorder.next(SHORT))
        .hasMessage("not within PT0.02S: another message; so far there were [a]");
    requests.onNext("b");
    requests.onCompleted();
    assertThat(recorder.awaitCompletion(BOUND)).containsExactly("a", "b");
    assertThat(recorder.hasEnded()).isTrue();
  }

  @Test
  void aSubscriberRequestsTheGivenNumberOfItems() throws InterruptedException {
    ManagedChannel channel = gannet.channelTo(Words.echo());
    StreamRecorder<String> recorder = StreamRecorder.requesting(1);
    try (SubmissionPublisher<String> requests = new SubmissionPublisher<>()) {
      AsyncCalls.bidiStreaming(channel, Words.TALK, CallOptions.DEFAULT, requests)
          .subscribe(recorder);
      while (requests.getNumberOfSubscribers() == 0) {
        Thread.onSpinWait();
      }
      List.of("a", "b", "c").forEach(requests::submit);
      assertThat(recorder.next(BOUND)).isEqualTo("a");
      assertThat(recorder.messages()).hasSize(1);
      recorder.request(2);
      assertThat(recorder.next(BOUND)).isEqualTo("b");
    }
    assertThat(recorder.awaitCompletion(BOUND)).hasSize(3);
  }

  @Test
  void aFailureIsTheCauseOfTheError() throws InterruptedException {
    FakeServer fake = gannet.fake(Words.echo());
    fake.on(Words.TALK, Reply.<String>failure(Status.ABORTED).atOnce());
    StreamRecorder<String> recorder = StreamRecorder.create();
    StreamObserver<String> unused =
        ObserverCalls.bidiStreaming(
            gannet.channelTo(fake.address()), Words.TALK, CallOptions.DEFAULT, recorder);
    assertThat(unused).isNotNull();
    assertThat(recorder.awaitStatus(BOUND).code()).isEqualTo(Status.Code.ABORTED);
    assertThatThrownBy(() -> recorder.awaitCompletion(BOUND))
        .isInstanceOf(AssertionError.class)
        .hasCause(recorder.failure().orElseThrow());
  }

  @Test
  void theErrorOfNextNamesTheFailureOfTheStream() {
    StreamRecorder<String> recorder = StreamRecorder.create();
    recorder.onNext("a");
    StatusException failure = Status.ABORTED.withDescription("too late").asException();
    recorder.onError(failure);
    assertThatThrownBy(
            () -> {
              recorder.next(BOUND);
              recorder.next(BOUND);
            })
        .isInstanceOf(AssertionError.class)
        .hasMessage("the stream has ended after 1 messages: [a], with ABORTED: too late")
        .hasCause(failure);
  }

  @Test
  void theErrorOfNextNamesTheStatusOfTheCall() {
    CallRecorder<String> failed = new CallRecorder<>();
    failed.onClose(Status.ABORTED.withDescription("too late"), new Metadata());
    assertThatThrownBy(() -> failed.next(BOUND))
        .isInstanceOf(AssertionError.class)
        .hasMessage("the stream has ended after 0 messages: [], with ABORTED: too late");

    CallRecorder<String> complete = new CallRecorder<>();
    complete.onClose(Status.OK, new Metadata());
    assertThatThrownBy(() -> complete.next(BOUND))
        .isInstanceOf(AssertionError.class)
        .hasMessage("the stream has ended after 0 messages: [], with OK");
  }

  @Test
  void aRecorderThatIsNotSubscribedThrows() {
    assertThatThrownBy(() -> StreamRecorder.create().cancel())
        .hasMessageContaining("not subscribed");
  }
}
