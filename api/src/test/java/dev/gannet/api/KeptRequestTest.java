package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What calls that follow one another are given of one request, and when. */
final class KeptRequestTest {
  private final KeptRequest<String> kept = new KeptRequest<>(Marshallers.utf8());

  /** Notes what it is given. */
  private static class Receiver implements ClientCall<String, String> {
    final List<String> given = new ArrayList<>();

    @Override
    public void start(Listener<? super String> listener, Metadata headers) {}

    @Override
    public void request(int messages) {
      given.add("request " + messages);
    }

    @Override
    public void sendMessage(String message) {
      given.add(message);
    }

    @Override
    public void halfClose() {
      given.add("half-close");
    }

    @Override
    public void cancel(String message) {}

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean isResponseCompressed() {
      return false;
    }

    @Override
    public void setMessageCompression(boolean enabled) {
      given.add(enabled ? "compressed" : "uncompressed");
    }
  }

  private <T extends Receiver> T started(T call) {
    kept.expect(call);
    kept.onStarted(call);
    kept.give();
    return call;
  }

  private void says(String message) {
    kept.add(message);
    kept.give();
  }

  @Test
  void aCallIsGivenNothingBeforeItHasStarted() {
    Receiver call = new Receiver();
    kept.expect(call);
    says("a");
    assertThat(call.given).isEmpty();
    kept.onStarted(call);
    kept.give();
    assertThat(call.given).containsExactly("a");
  }

  @Test
  void theNextCallIsGivenEverythingAsItWasSaid() {
    kept.request(2);
    kept.compress(false);
    kept.add("a");
    kept.compress(true);
    kept.add("b");
    kept.halfClose();
    Receiver first = started(new Receiver());
    kept.restart();
    Receiver second = started(new Receiver());
    assertThat(second.given)
        .isEqualTo(first.given)
        .containsExactly("request 2", "uncompressed", "a", "compressed", "b", "half-close");
  }

  @Test
  void aCallThatFailedBeforeItHadStartedIsGivenNothing() {
    Receiver failed = new Receiver();
    kept.expect(failed);
    kept.restart();
    Receiver next = started(new Receiver());
    kept.onStarted(failed);
    says("a");
    assertThat(failed.given).isEmpty();
    assertThat(next.given).containsExactly("a");
  }

  @Test
  void nothingIsGivenBetweenTwoCalls() {
    Receiver first = started(new Receiver());
    kept.restart();
    says("a");
    assertThat(first.given).isEmpty();
    assertThat(started(new Receiver()).given).containsExactly("a");
  }

  @Test
  void whatACallAddsWhileItIsGivenSomethingFollowsIt() {
    Receiver call =
        new Receiver() {
          @Override
          public void sendMessage(String message) {
            if (message.equals("a")) {
              says("b");
            }
            super.sendMessage(message);
          }
        };
    started(call);
    says("a");
    assertThat(call.given).containsExactly("a", "b");
  }

  @Test
  void nothingIsGivenAfterTheEnd() {
    Receiver call = started(new Receiver());
    kept.end();
    says("a");
    kept.request(1);
    kept.give();
    assertThat(call.given).isEmpty();
  }

  @Test
  void aSettledRequestGoesOn() {
    Receiver call = started(new Receiver());
    says("a");
    kept.settle();
    says("b");
    kept.halfClose();
    kept.give();
    assertThat(call.given).containsExactly("a", "b", "half-close");
  }

  @Test
  void whatACallThrowsConcernsTheCallerUnlessItIsReplaced() {
    List<Receiver> replacing = new ArrayList<>();
    started(
        new Receiver() {
          @Override
          public void sendMessage(String message) {
            if (message.equals("b")) {
              kept.restart();
              replacing.add(started(new Receiver()));
            }
            throw new IllegalStateException("cannot send " + message);
          }
        });
    assertThatThrownBy(() -> says("a")).hasMessage("cannot send a");
    says("b");
    assertThat(replacing.getFirst().given).containsExactly("a", "b");
  }

  /** It fails while it is given a message. */
  private final class Failing extends Receiver {
    private final boolean ends;

    Failing(boolean ends) {
      this.ends = ends;
    }

    @Override
    public void sendMessage(String message) {
      kept.restart();
      if (ends) {
        kept.end();
      }
      throw new IllegalStateException("cannot send " + message);
    }
  }

  @Test
  void whatACallThrowsThatMayBeReplacedConcernsNobody() {
    started(new Failing(false));
    says("a");
    assertThat(started(new Receiver()).given).containsExactly("a");
  }

  @Test
  void whatTheLastCallThrowsConcernsTheCaller() {
    started(new Failing(true));
    assertThatThrownBy(() -> says("a")).hasMessage("cannot send a");
  }
}
