package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A response whose marshaller throws an Error, sent on a thread of the application. */
final class UnwritableResponseTest {
  private final List<ServerCall<String, String>> begun = new ArrayList<>();

  private TestCall sent(MethodType type) {
    TestCall with = TestCall.of(type);
    with.stream.errorOfSend = Optional.of(new StackOverflowError("message"));
    IncomingCall<String, String> call =
        TestCalls.incoming(
            TestCalls.served(
                type,
                (its, headers) -> {
                  begun.add(its);
                  its.request(10);
                  return new ServerCall.Listener<>() {};
                }),
            with.stream,
            new OnExecutor(with.loop));
    call.flush();
    call.add(CallEvent.Message.parsed("q", 1));
    call.add(new CallEvent.HalfClosed());
    call.flush();
    with.loop.runUntilIdle();
    assertThatThrownBy(() -> begun.getFirst().sendMessage("x"))
        .isInstanceOf(StackOverflowError.class);
    with.loop.runUntilIdle();
    return with;
  }

  @ParameterizedTest
  @EnumSource(MethodType.class)
  void itEndsTheCall(MethodType type) {
    assertThat(sent(type).stream.told)
        .containsExactly("close INTERNAL: a response cannot be written");
  }

  @ParameterizedTest
  @EnumSource(MethodType.class)
  void ifItIsCaughtTheCallDoesNotEndWithOk(MethodType type) {
    TestCall with = sent(type);
    begun.getFirst().close(Status.OK, new Metadata());
    assertThat(with.stream.told).containsExactly("close INTERNAL: a response cannot be written");
  }
}
