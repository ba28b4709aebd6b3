package dev.gannet.conformance.styles;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.ServerStreamingCall;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A call of an asynchronous client: its requests are published, its responses subscribed to, and
 * asked for one by one as the caller reads them.
 */
public final class PublishedCall<Q, R>
    implements BidiStreamingCall<Q, R>,
        ClientStreamingCall<Q, R>,
        ServerStreamingCall<R>,
        Flow.Subscriber<R> {
  private final SeenFields fields;
  private final SubmissionPublisher<Q> requests = new SubmissionPublisher<>();
  private final ResponseQueue<R> responses = new ResponseQueue<>();
  private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
  private @Nullable CompletableFuture<R> response;
  private volatile boolean ended;

  private PublishedCall(SeenFields fields) {
    this.fields = fields;
  }

  /** The one response of a call, waited for. */
  public static <R> R await(CompletableFuture<R> response) {
    try {
      return response.join();
    } catch (CompletionException | CancellationException e) {
      throw ResponseQueue.failure(e);
    }
  }

  /** A call whose responses are published. */
  public static <R> ServerStreamingCall<R> reading(SeenFields fields, Flow.Publisher<R> responses) {
    PublishedCall<Object, R> call = new PublishedCall<>(fields);
    responses.subscribe(call);
    return call;
  }

  /** A call that is given published requests, and answers with a future. */
  public static <Q, R> ClientStreamingCall<Q, R> writing(
      SeenFields fields, Function<Flow.Publisher<Q>, CompletableFuture<R>> method) {
    PublishedCall<Q, R> call = new PublishedCall<>(fields);
    CompletableFuture<R> response = method.apply(call.requests);
    call.response = response.whenComplete((message, thrown) -> call.ended = true);
    call.subscription.complete(new Cancelling(response));
    return call;
  }

  /** A call that is given published requests, and answers with published responses. */
  public static <Q, R> BidiStreamingCall<Q, R> both(
      SeenFields fields, Function<Flow.Publisher<Q>, Flow.Publisher<R>> method) {
    PublishedCall<Q, R> call = new PublishedCall<>(fields);
    method.apply(call.requests).subscribe(call);
    return call;
  }

  /** What ends a call that answers with a future. */
  private record Cancelling(CompletableFuture<?> response) implements Flow.Subscription {
    @Override
    public void request(long count) {}

    @Override
    public void cancel() {
      response.cancel(true);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription.complete(subscription);
    subscription.request(1);
  }

  @Override
  public void onNext(R response) {
    responses.add(response);
  }

  @Override
  public void onError(Throwable thrown) {
    ended = true;
    responses.fail(thrown);
  }

  @Override
  public void onComplete() {
    ended = true;
    responses.end();
  }

  @Override
  public void send(Q message) {
    if (ended && response != null) {
      await(response);
    }
    requests.submit(message);
  }

  @Override
  public void send(Q message, Duration timeout) throws TimeoutException {
    if (ended && response != null) {
      await(response);
    }
    if (requests.offer(message, timeout.toNanos(), TimeUnit.NANOSECONDS, null) < 0) {
      throw new TimeoutException("no room within " + timeout);
    }
  }

  @Override
  public boolean isReady() {
    return !ended && requests.estimateMaximumLag() == 0;
  }

  @Override
  public void halfClose() {
    requests.close();
  }

  @Override
  public R finish() {
    requests.close();
    return await(response());
  }

  @Override
  public R finish(Duration timeout) throws TimeoutException {
    requests.close();
    try {
      return response().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withCause(e).asException();
    } catch (ExecutionException | CancellationException e) {
      throw ResponseQueue.failure(e);
    }
  }

  private CompletableFuture<R> response() {
    if (response == null) {
      throw new IllegalStateException("no call with one response");
    }
    return response;
  }

  @Override
  public boolean hasNext() {
    return responses.hasNext();
  }

  @Override
  public boolean hasNext(Duration timeout) throws TimeoutException {
    return responses.hasNext(timeout);
  }

  @Override
  public R next() {
    R message = responses.next();
    subscription.join().request(1);
    return message;
  }

  /** A subscriber that cancels is not notified any more; a thread that reads on is told here. */
  @Override
  public void close() {
    subscription.join().cancel();
    responses.fail(Status.CANCELLED.withDescription("cancelled by its subscriber").asException());
  }

  @Override
  public Metadata headers() {
    return fields.headers();
  }

  @Override
  public Metadata trailers() {
    return fields.trailers();
  }

  @Override
  public Optional<SocketAddress> peer() {
    return fields.peer();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return fields.sslSession();
  }
}
