package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.BindableService;
import dev.gannet.api.Channel;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.conformance.interop.StyledGreeters.ServiceStyle;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GroupReply;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.RepeatRequest;
import dev.gannet.server.Server;
import dev.gannet.testing.Testbed;
import dev.gannet.testing.VirtualClock;
import dev.gannet.transport.inprocess.InProcessOptions;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of call, with every style of client and every style of service, over every transport:
 * it is answered in full, and where the service fails, its status comes.
 */
@Timeout(60)
final class StylesMatrixTest {
  /** More than a stream is read ahead of its reader. */
  private static final int MESSAGES = 40;

  /** One row: a call of that kind. */
  enum Kind {
    UNARY,
    SERVER_STREAMING,
    CLIENT_STREAMING,
    BIDI_STREAMING;

    /** How many messages the answer stands for. */
    int call(GreeterClient greeter, String name) {
      return switch (this) {
        case UNARY -> greeter.sayHello(named(name)).getMessage().equals("Hello " + name) ? 1 : 0;
        case SERVER_STREAMING -> {
          RepeatRequest request =
              RepeatRequest.newBuilder().setName(name).setTimes(MESSAGES).build();
          try (Incoming<HelloReply> replies = greeter.repeatHello(request)) {
            yield count(replies);
          }
        }
        case CLIENT_STREAMING -> {
          try (ClientStreamingCall<HelloRequest, GroupReply> call = greeter.greetAll()) {
            for (int i = 0; i < MESSAGES; i++) {
              call.send(named(name));
            }
            yield call.finish().getNames();
          }
        }
        case BIDI_STREAMING -> {
          try (BidiStreamingCall<HelloRequest, HelloReply> call = greeter.converse()) {
            for (int i = 0; i < MESSAGES / 2; i++) {
              call.send(named(name));
            }
            call.next(); // while requests are still to come
            for (int i = MESSAGES / 2; i < MESSAGES; i++) {
              call.send(named(name));
            }
            call.halfClose();
            yield 1 + count(call);
          }
        }
      };
    }

    int messages() {
      return this == UNARY ? 1 : MESSAGES;
    }

    private static int count(Incoming<HelloReply> replies) {
      int count = 0;
      while (replies.hasNext()) {
        count += replies.next().getMessage().isEmpty() ? 0 : 1;
      }
      return count;
    }

    private static HelloRequest named(String name) {
      return HelloRequest.newBuilder().setName(name).build();
    }
  }

  /** What is between client and service. */
  enum Medium {
    NETTY,
    NETTY_TLS,
    IN_PROCESS,
    /** Within the process, with every message written and parsed. */
    IN_PROCESS_WRITTEN,
    VIRTUAL_TIME;

    Testbed testbed() {
      return switch (this) {
        case NETTY, NETTY_TLS -> Testbed.onLoopback();
        case IN_PROCESS, IN_PROCESS_WRITTEN -> Testbed.inProcess();
        case VIRTUAL_TIME -> Testbed.inProcess(VirtualClock.create());
      };
    }

    Channel channel(Testbed testbed, BindableService service) throws IOException {
      return switch (this) {
        case NETTY, IN_PROCESS, VIRTUAL_TIME -> testbed.channelTo(service);
        case NETTY_TLS -> {
          var ofServer = TestCredentials.ofServer();
          var ofClient = TestCredentials.ofClient();
          Server server = testbed.serve(it -> it.credentials(ofServer).add(service));
          yield testbed.channelTo(
              server, it -> it.credentials(ofClient).overrideAuthority("foo.test.google.fr"));
        }
        case IN_PROCESS_WRITTEN -> {
          var written = InProcessOptions.DEFAULT.withWrittenMessages(true).transport();
          Server server = testbed.serve(it -> it.transport(written).add(service));
          yield testbed.channelTo(server, it -> it.transport(written));
        }
      };
    }
  }

  static Stream<Arguments> cells() {
    return Stream.of(Medium.values())
        .flatMap(medium ->
            Stream.of(ServiceStyle.values())
                .flatMap(service ->
                    Stream.of(ClientStyle.values())
                        .flatMap(client ->
                            Stream.of(Kind.values())
                                .map(kind -> Arguments.of(kind, client, service, medium)))));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void callsAreAnsweredAndFailuresAreReported(
      Kind kind, ClientStyle client, ServiceStyle service, Medium medium) throws IOException {
    try (Testbed testbed = medium.testbed()) {
      GreeterClient greeter =
          StyledGreeters.client(client, medium.channel(testbed, service.service()));

      assertThat(kind.call(greeter, "Ada")).isEqualTo(kind.messages());
      assertThatThrownBy(() -> kind.call(greeter, StyledGreeters.UNKNOWN))
          .isInstanceOfSatisfying(
              StatusException.class,
              e -> assertThat(e.status().code()).isEqualTo(Status.Code.NOT_FOUND));
    }
  }
}
