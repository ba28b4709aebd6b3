package dev.gannet.conformance.stubs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.stub.AsyncCalls;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;

/** Publishers and subscribers of asynchronous calls, held to Reactive Streams by its own kit. */
@Timeout(300)
final class ReactiveStreamsTest {
  private static final long SIGNAL_MILLIS = 2_000;
  private static final long SILENCE_MILLIS = 50;
  private static final long MAX_STREAM = 10_000;

  private static Numbers numbers;

  @BeforeAll
  static void start() {
    numbers = new Numbers();
  }

  @AfterAll
  static void stop() {
    numbers.close();
  }

  private static TestEnvironment environment() {
    return new TestEnvironment(SIGNAL_MILLIS, SILENCE_MILLIS);
  }

  /** The responses of a server. */
  static final class Responses extends FlowPublisherVerification<String> {
    Responses() {
      super(environment());
    }

    @Override
    public Flow.Publisher<String> createFlowPublisher(long elements) {
      return numbers.count(Math.min(elements, MAX_STREAM));
    }

    @Override
    public Flow.Publisher<String> createFailedFlowPublisher() {
      return AsyncCalls.serverStreaming(
          numbers.channel(), Numbers.COUNT, CallOptions.DEFAULT, Numbers.FAIL);
    }

    @Override
    public long maxElementsFromPublisher() {
      return MAX_STREAM;
    }
  }

  /** Requests that a server's handler echoes as responses: both directions in one stream. */
  static final class Echoes extends FlowPublisherVerification<String> {
    Echoes() {
      super(environment());
    }

    @Override
    public Flow.Publisher<String> createFlowPublisher(long elements) {
      return AsyncCalls.bidiStreaming(
          numbers.channel(),
          Numbers.ECHO,
          CallOptions.DEFAULT,
          numbers.count(Math.min(elements, MAX_STREAM)));
    }

    @Override
    public Flow.Publisher<String> createFailedFlowPublisher() {
      return null; // a server cannot refuse before it is subscribed to
    }

    @Override
    public long maxElementsFromPublisher() {
      return MAX_STREAM;
    }
  }

  /** What a client sends its requests with. */
  static final class Sender extends FlowSubscriberBlackboxVerification<String> {
    Sender() {
      super(environment());
    }

    @Override
    @SuppressWarnings("unchecked")
    public Flow.Subscriber<String> createFlowSubscriber() {
      AtomicReference<Flow.Subscriber<? super String>> sender = new AtomicReference<>();
      Flow.Publisher<String> requests = sender::set;
      CompletableFuture<String> response =
          AsyncCalls.clientStreaming(
              numbers.channel(), Numbers.COLLECT, CallOptions.DEFAULT, requests);
      assertThat(response).isNotCompletedExceptionally();
      return (Flow.Subscriber<String>) sender.get();
    }

    @Override
    public String createElement(int element) {
      return Integer.toString(element);
    }
  }

  @TestFactory
  Stream<DynamicTest> responsesFollowTheRules() {
    return Kit.publisherRules(Responses::new);
  }

  @TestFactory
  Stream<DynamicTest> echoedRequestsFollowTheRules() {
    return Kit.publisherRules(Echoes::new);
  }

  @TestFactory
  Stream<DynamicTest> sendersFollowTheRules() {
    return Kit.subscriberRules(Sender::new);
  }
}
