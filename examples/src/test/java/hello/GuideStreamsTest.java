package hello;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gannet.api.Metadata;
import dev.gannet.api.stub.ResponseMetadata;
import dev.gannet.client.ManagedChannel;
import dev.gannet.testing.GannetExtension;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide.md on metadata of streams: {@code PagesTest} compares them. */
@Timeout(60)
final class GuideStreamsTest {
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  /** Keeps the trailers of its call. */
  private static final class Counting implements Flow.Subscriber<HelloReply> {
    final CompletableFuture<Metadata> trailers = new CompletableFuture<>();
    ResponseMetadata call;

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HelloReply reply) {}

    @Override
    public void onError(Throwable thrown) {
      trailers.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      trailers.complete(call.trailers());
    }
  }

  @Test
  void aSubscriberReadsTheTrailersOfItsCall() {
    CountRequest toThree = CountRequest.newBuilder().setTo(3).build();
    ManagedChannel channel =
        gannet.channelTo(
            gannet.serve(it ->
                it.add(new MyGreeter())
                    .interceptHeaders(
                        (call, headers) -> call.responseTrailers().set(TENANT, "acme"))));
    GreeterAsyncClient greeter = GreeterAsyncClient.of(channel);
    // begin metadata of a stream
    Counting counting = new Counting(); // a Flow.Subscriber<HelloReply>
    greeter
        .response(GreeterMethods.COUNT, toThree, call -> counting.call = call)
        .subscribe(counting); // its onComplete and onError can read call.trailers()
    // end
    assertEquals(Optional.of("acme"), counting.trailers.join().get(TENANT));
  }
}
