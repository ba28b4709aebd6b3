package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a test bed opens it closes, and what others leave open it tells. */
@Timeout(60)
final class TestbedTest {
  enum Kind {
    PROCESS,
    LOOPBACK,
    VIRTUAL;

    Testbed make() {
      return switch (this) {
        case PROCESS -> Testbed.inProcess();
        case LOOPBACK -> Testbed.onLoopback();
        case VIRTUAL -> Testbed.inProcess(VirtualClock.create());
      };
    }
  }

  private static String say(ManagedChannel channel, String word) {
    return BlockingCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, word);
  }

  @ParameterizedTest
  @EnumSource
  void aServerIsCalledAndClosed(Kind kind) {
    ManagedChannel channel;
    try (Testbed testbed = kind.make()) {
      channel = testbed.channelTo(Words.echo());
      assertThat(say(channel, "hello")).isEqualTo("hello");
      assertThat(testbed.transcript().lines())
          .anyMatch(line -> line.endsWith("#1 test.Words/Say"))
          .anyMatch(line -> line.endsWith("#1 -> message: hello"))
          .anyMatch(line -> line.endsWith("#1 <- message: hello"))
          .anyMatch(line -> line.contains("server: /test.Words/Say from "))
          .anyMatch(line -> line.endsWith("#1 ended OK"));
    }
    assertThat(channel.isTerminated()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatIsLeftOpenFailsTheTestAndNamesItsPlace(Kind kind) {
    Testbed testbed = kind.make();
    BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(
            testbed.channelTo(Words.echo()), Words.TALK, CallOptions.DEFAULT);
    call.send("hello");
    assertThatThrownBy(testbed::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("left open at the end of the test")
        .hasMessageContaining("call test.Words/Talk started here: ")
        .hasMessageContaining("TestbedTest.aCallThatIsLeftOpenFailsTheTestAndNamesItsPlace");
    assertThatThrownBy(call::next).hasMessageContaining("UNAVAILABLE");
  }

  @Test
  void aCallThatEndsWhenTheTestEndsIsNotReportedAsOpen() {
    try (Testbed testbed = Testbed.inProcess()) {
      BidiStreamingCall<String, String> call =
          BlockingCalls.bidiStreaming(
              testbed.channelTo(Words.echo()), Words.TALK, CallOptions.DEFAULT);
      call.close();
    }
  }

  @Test
  void aHandlerThatIgnoresItsInterruptionIsNamedWithItsPlace() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Testbed testbed = Testbed.inProcess().patience(Duration.ofMillis(100));
    ManagedChannel channel =
        testbed.channelTo(
            Words.saying(request -> {
              begun.countDown();
              boolean done = false;
              while (!done) {
                try {
                  goOn.await();
                  done = true;
                } catch (InterruptedException e) {
                  // goes on
                }
              }
              return request;
            }));
    Thread caller = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> say(channel, "x")));
    begun.await();
    assertThatThrownBy(testbed::close)
        .hasMessageContaining("the handler of test.Words/Say has not returned");
    goOn.countDown();
    caller.join();
  }

  @Test
  void aWatchedChannelThatNobodyShutDownIsNamed() {
    Testbed testbed = Testbed.inProcess();
    ManagedChannel own =
        testbed.watch(ManagedChannel.builder(testbed.address(testbed.serve(Words.echo()))).build());
    assertThatThrownBy(testbed::close).hasMessageContaining("was seen here first");
    own.close();
  }

  @Test
  void aFaultyNetworkNeedsSockets() {
    try (Testbed testbed = Testbed.inProcess()) {
      assertThatThrownBy(() -> testbed.networkTo(testbed.serve(Words.echo()), 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("use Testbed.onLoopback()");
    }
  }
}
