package dev.gannet.examples.greeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.MethodDescriptor.Idempotency;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the greeter answers, called as the plain object it is. */
final class MyGreeterTest {
  private final MyGreeter greeter = new MyGreeter();
  private final Sent sent = new Sent(new ArrayList<>());

  /** Requests that are all there. */
  private record Given(Iterator<HelloRequest> requests) implements Incoming<HelloRequest> {
    static Given names(String... names) {
      return new Given(List.of(names).stream().map(MyGreeterTest::request).iterator());
    }

    @Override
    public boolean hasNext() {
      return requests.hasNext();
    }

    @Override
    public boolean hasNext(Duration timeout) {
      return hasNext();
    }

    @Override
    public HelloRequest next() {
      return requests.next();
    }

    @Override
    public void close() {}
  }

  /** Responses that a peer took at once. */
  private record Sent(List<String> messages) implements Outgoing<HelloReply> {
    @Override
    public void send(HelloReply reply) {
      messages.add(reply.getMessage());
    }

    @Override
    public void send(HelloReply reply, Duration timeout) {
      send(reply);
    }

    @Override
    public boolean isReady() {
      return true;
    }
  }

  @Test
  void aCallerIsGreetedByName() {
    assertThat(greeter.sayHello(request("Ada")).getMessage()).isEqualTo("Hello Ada");
  }

  @Test
  void repeatedGreetingsAreNumbered() {
    greeter.repeatHello(RepeatRequest.newBuilder().setName("Ada").setTimes(2).build(), sent);

    assertThat(sent.messages()).containsExactly("Hello Ada (1)", "Hello Ada (2)");
  }

  @Test
  void tooManyGreetingsAreRefused() {
    RepeatRequest request = RepeatRequest.newBuilder().setTimes(MyGreeter.MAX_TIMES + 1).build();

    assertThatThrownBy(() -> greeter.repeatHello(request, sent))
        .isInstanceOfSatisfying(
            StatusException.class,
            e -> assertThat(e.status().code()).isEqualTo(Status.INVALID_ARGUMENT.code()));
    assertThat(sent.messages()).isEmpty();
  }

  @Test
  void aGroupIsGreetedAtOnce() {
    GroupReply reply = greeter.greetAll(Given.names("Ada", "Grace"));

    assertThat(reply.getMessage()).isEqualTo("Hello Ada, Grace");
    assertThat(reply.getNames()).isEqualTo(2);
  }

  @Test
  void everyMessageOfAConversationIsAnsweredInTurn() {
    greeter.converse(Given.names("Ada", "Grace"), sent);

    assertThat(sent.messages()).containsExactly("Hello Ada", "Hello Grace");
  }

  @Test
  void theServiceHasAMethodOfEachKind() {
    assertThat(greeter.bindService().serviceName()).isEqualTo("gannet.examples.greeter.Greeter");
    assertThat(greeter.bindService().methods())
        .extracting(definition -> definition.method().type())
        .containsExactlyInAnyOrder(MethodType.values());
    assertThat(GreeterMethods.SAY_HELLO.idempotency()).isEqualTo(Idempotency.NO_SIDE_EFFECTS);
  }

  private static HelloRequest request(String name) {
    return HelloRequest.newBuilder().setName(name).build();
  }
}
