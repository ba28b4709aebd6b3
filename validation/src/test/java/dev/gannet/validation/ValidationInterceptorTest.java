package dev.gannet.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import build.buf.protovalidate.Config;
import build.buf.protovalidate.ValidatorFactory;
import com.google.rpc.BadRequest;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.status.DetailedStatus;
import dev.gannet.validation.test.Divided;
import dev.gannet.validation.test.Garbled;
import dev.gannet.validation.test.Line;
import dev.gannet.validation.test.Order;
import dev.gannet.validation.test.OrdersClient;
import dev.gannet.validation.test.Receipt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests with rules, from a client to a handler that must see none that breaks one. */
@Timeout(60)
final class ValidationInterceptorTest {
  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Order EMMA = Order.newBuilder().setTitle("Emma").build();
  private static final Order NAMELESS = Order.getDefaultInstance();

  private final OrderDesk desk = new OrderDesk();

  /** What the tracer of a client that checks has seen. */
  private final List<Status> ends = new CopyOnWriteArrayList<>();

  private interface Use<T> {
    T of(OrdersClient orders) throws Exception;
  }

  private <T> T served(ValidationInterceptor interceptor, Use<T> use) throws Exception {
    try (Server server = Server.builder(LOOPBACK).intercept(interceptor).add(desk).start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      return use.of(OrdersClient.of(channel));
    }
  }

  private StatusException refused(Use<?> use) throws Exception {
    return refused(ValidationInterceptor.create(), use);
  }

  private StatusException refused(ValidationInterceptor interceptor, Use<?> use) throws Exception {
    return served(
        interceptor, orders -> catchThrowableOfType(StatusException.class, () -> use.of(orders)));
  }

  private static BadRequest.FieldViolation violation(
      String field, String description, String reason) {
    return BadRequest.FieldViolation.newBuilder()
        .setField(field)
        .setDescription(description)
        .setReason(reason)
        .build();
  }

  @Test
  void aRequestThatBreaksNoRuleIsServed() throws Exception {
    Receipt receipt = served(ValidationInterceptor.create(), orders -> orders.place(EMMA));

    assertThat(receipt.getText()).isEqualTo("Emma");
  }

  @Test
  void aRequestThatBreaksARuleIsRefusedWithFieldMessageAndRule() throws Exception {
    StatusException thrown = refused(orders -> orders.place(NAMELESS));

    assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(thrown.status().description().orElseThrow())
        .isEqualTo(
            "the request breaks a rule: title: must be at least 1 characters"
                + " [string.min_len]");
    assertThat(DetailedStatus.of(thrown).violatedFields())
        .containsExactly(
            violation("title", "must be at least 1 characters [string.min_len]", "STRING_MIN_LEN"));
    assertThat(desk.seen()).isEmpty();
  }

  @Test
  void theRequestOfAServerStreamingCallIsChecked() throws Exception {
    StatusException thrown =
        refused(orders -> {
          try (Incoming<Receipt> receipts = orders.follow(NAMELESS)) {
            return receipts.hasNext();
          }
        });

    assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(desk.seen()).isEmpty();
  }

  @Test
  void eachRequestOfAClientStreamingCallIsChecked() throws Exception {
    StatusException thrown =
        refused(orders -> {
          try (ClientStreamingCall<Order, Receipt> call = orders.collect()) {
            call.send(EMMA);
            call.send(NAMELESS);
            call.send(EMMA);
            return call.finish();
          }
        });

    assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(DetailedStatus.of(thrown).violatedFields()).hasSize(1);
    assertThat(desk.seen()).isSubsetOf("Emma").hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void eachRequestOfABidirectionalCallIsChecked() throws Exception {
    StatusException thrown =
        refused(orders -> {
          try (BidiStreamingCall<Order, Receipt> call = orders.negotiate()) {
            call.send(EMMA);
            assertThat(call.next().getText()).isEqualTo("Emma");
            call.send(NAMELESS);
            return call.hasNext();
          }
        });

    assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(desk.seen()).containsExactly("Emma");
  }

  @Test
  void pathsNameElementsOfListsAndMaps() throws Exception {
    Line none = Line.getDefaultInstance();
    Order order =
        EMMA.toBuilder()
            .addLines(Line.newBuilder().setCopies(1))
            .addLines(none)
            .putGifts("a \"b\"", none)
            .addSizes(-1)
            .build();

    StatusException thrown = refused(orders -> orders.place(order));

    assertThat(DetailedStatus.of(thrown).violatedFields())
        .extracting(BadRequest.FieldViolation::getField)
        .containsExactlyInAnyOrder("lines[1].copies", "gifts[\"a \\\"b\\\"\"].copies", "sizes[0]");
    assertThat(thrown.status().description().orElseThrow())
        .startsWith("the request breaks 3 rules; the first: ");
  }

  @Test
  void aRuleOfTheWholeMessageHasNoField() throws Exception {
    Order order = EMMA.toBuilder().setCard("1234").setVoucher("abcd").build();

    StatusException thrown = refused(orders -> orders.place(order));

    assertThat(DetailedStatus.of(thrown).violatedFields())
        .containsExactly(
            violation(
                "",
                "an order is paid by card or by voucher [order.paid_twice]",
                "ORDER_PAID_TWICE"));
    assertThat(thrown.status().description().orElseThrow())
        .isEqualTo(
            "the request breaks a rule: an order is paid by card or by voucher"
                + " [order.paid_twice]");
  }

  private static Order withWrongSizes(int count) {
    Order.Builder order = EMMA.toBuilder();
    for (int i = 0; i < count; i++) {
      order.addSizes(-i);
    }
    return order.build();
  }

  @Test
  void aStatusListsTwentyViolationsAndCountsAll() throws Exception {
    StatusException thrown = refused(orders -> orders.place(withWrongSizes(1_000)));

    assertThat(DetailedStatus.of(thrown).violatedFields()).hasSize(20);
    assertThat(thrown.status().description().orElseThrow())
        .startsWith("the request breaks 1000 rules; the first: sizes[0]: ");
  }

  @Test
  void theLimitOfViolationsIsConfigurable() throws Exception {
    ValidationInterceptor three = ValidationInterceptor.create().withMaxViolations(3);

    StatusException thrown = refused(three, orders -> orders.place(withWrongSizes(10)));

    assertThat(DetailedStatus.of(thrown).violatedFields()).hasSize(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> three.withMaxViolations(0))
        .withMessage("maxViolations must be positive: 0");
  }

  @Test
  void longKeysDoNotMakeAStatusTooLongForItsClient() throws Exception {
    Order.Builder order = EMMA.toBuilder();
    for (int i = 0; i < 20; i++) {
      order.putGifts(i + "€".repeat(10_000), Line.getDefaultInstance());
    }

    StatusException thrown = refused(orders -> orders.place(order.build()));

    assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(DetailedStatus.of(thrown).violatedFields()).hasSizeBetween(1, 19);
  }

  @Test
  void aValidatorThatFailsFastReportsOneViolation() throws Exception {
    Config config = Config.newBuilder().setFailFast(true).build();
    ValidationInterceptor first =
        ValidationInterceptor.of(ValidatorFactory.newBuilder().withConfig(config).build());

    StatusException thrown = refused(first, orders -> orders.place(withWrongSizes(10)));

    assertThat(DetailedStatus.of(thrown).violatedFields()).hasSize(1);
  }

  @Test
  void theCheckOfALargeRequestEndsAtTheFirstViolation() throws Exception {
    StatusException thrown = refused(orders -> orders.place(withWrongSizes(70_000)));

    assertThat(DetailedStatus.of(thrown).violatedFields())
        .extracting(BadRequest.FieldViolation::getField)
        .containsExactly("sizes[0]");
    assertThat(thrown.status().description().orElseThrow())
        .startsWith("the request breaks a rule: sizes[0]: ");
  }

  @Test
  void aCheckThatOverflowsTheStackEndsItsCallWithInternal() throws Exception {
    try (CapturedLog log = CapturedLog.of(BrokenRules.class)) {
      ValidationInterceptor deep =
          ValidationInterceptor.of(message -> {
            throw new StackOverflowError();
          });

      StatusException thrown = refused(deep, orders -> orders.place(EMMA));

      assertThat(thrown.status().code()).isEqualTo(Status.Code.INTERNAL);
      assertThat(thrown.status().description().orElseThrow())
          .isEqualTo("a validation rule of gannet.validation.test.Order cannot be checked");
      assertThat(log.warnings()).hasSize(1);
    }
  }

  @Test
  void aRuleThatDoesNotCompileEndsItsCallsWithInternalAndIsLogged() throws Exception {
    try (CapturedLog log = CapturedLog.of(BrokenRules.class)) {
      served(
          ValidationInterceptor.create(),
          orders -> {
            for (int i = 0; i < 3; i++) {
              StatusException thrown =
                  catchThrowableOfType(
                      StatusException.class, () -> orders.garble(Garbled.getDefaultInstance()));
              assertThat(thrown.status().code()).isEqualTo(Status.Code.INTERNAL);
              assertThat(thrown.status().description().orElseThrow())
                  .isEqualTo(
                      "a validation rule of gannet.validation.test.Garbled cannot be" + " checked");
            }
            return orders.place(EMMA); // other messages do not suffer from it
          });

      assertThat(desk.seen()).containsExactly("Emma");
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("gannet.validation.test.Garbled")
          .contains("bogus");
    }
  }

  @Test
  void aRuleThatFailsEndsItsCallWithInternal() throws Exception {
    try (CapturedLog log = CapturedLog.of(BrokenRules.class)) {
      Function<Integer, Use<Receipt>> divide =
          by -> orders -> orders.divide(Divided.newBuilder().setBy(by).build());

      assertThat(refused(divide.apply(0)).status().code()).isEqualTo(Status.Code.INTERNAL);
      assertThat(refused(divide.apply(2)).status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(served(ValidationInterceptor.create(), divide.apply(7)).getText())
          .isEqualTo("by 7");
      assertThat(log.warnings()).hasSize(1);
    }
  }

  @Test
  void messagesOfOtherMarshallersArePassedOn() throws IOException {
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(
            MethodType.UNARY, "texts.Texts/Turn", Marshallers.utf8(), Marshallers.utf8());
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            "texts.Texts",
            List.of(
                ServerMethodDefinition.of(
                    method,
                    BlockingHandlers.<String, String>unary(
                        text -> new StringBuilder(text).reverse().toString()))));
    ValidationInterceptor interceptor = ValidationInterceptor.create();
    try (Server server = Server.builder(LOOPBACK).intercept(interceptor).add(service).start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", server.port())
                .plaintext()
                .intercept(interceptor)
                .build()) {
      assertThat(BlockingCalls.unary(channel, method, CallOptions.DEFAULT, "Emma"))
          .isEqualTo("ammE");
    }
  }

  private record Traced(List<Status> ends) implements ClientCallTracer {
    @Override
    public void onEnd(Status status, Metadata trailers) {
      ends.add(status);
    }
  }

  /** Calls by a client that checks, to a server that does not. */
  private <T> T checkedByTheClient(Use<T> use) throws Exception {
    UnaryOperator<ManagedChannelBuilder> checked =
        builder ->
            builder
                .plaintext()
                .intercept(ValidationInterceptor.create())
                .addTracer(call -> new Traced(ends));
    try (Server server = Server.builder(LOOPBACK).add(desk).start();
        ManagedChannel channel =
            checked.apply(ManagedChannel.builder("127.0.0.1", server.port())).build()) {
      return use.of(OrdersClient.of(channel));
    }
  }

  @Test
  void aClientThatChecksSendsNoRequestThatBreaksARule() throws Exception {
    StatusException thrown =
        checkedByTheClient(orders -> {
          assertThat(orders.place(EMMA).getText()).isEqualTo("Emma");
          return catchThrowableOfType(StatusException.class, () -> orders.place(NAMELESS));
        });

    assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(DetailedStatus.of(thrown).violatedFields()).hasSize(1);
    assertThat(desk.seen()).containsExactly("Emma");
  }

  @Test
  void aTracerSeesTheRefusalAsTheCauseOfACancelledCall() throws Exception {
    StatusException thrown =
        checkedByTheClient(
            orders -> catchThrowableOfType(StatusException.class, () -> orders.place(NAMELESS)));

    assertThat(ends).hasSize(1);
    assertThat(ends.getFirst().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(Status.fromThrowable(ends.getFirst().cause().orElseThrow()))
        .hasToString(thrown.status().toString());
  }

  @Test
  void aClientThatChecksEndsAStreamAtTheFirstRequestThatBreaksARule() throws Exception {
    StatusException thrown =
        checkedByTheClient(orders -> {
          try (BidiStreamingCall<Order, Receipt> call = orders.negotiate()) {
            call.send(EMMA);
            assertThat(call.next().getText()).isEqualTo("Emma");
            return catchThrowableOfType(
                StatusException.class,
                () -> {
                  call.send(NAMELESS);
                  call.hasNext();
                });
          }
        });

    assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(desk.seen()).containsExactly("Emma");
  }
}
