package dev.gannet.examples.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client shows what the details of a failure say. */
final class NameFormTest {
  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  @Test
  void aGoodNameIsGreeted() {
    NameForm form = new NameForm(gannet.channelTo(new StrictGreeter()));
    assertThat(form.send("Ada")).containsExactly("Hello Ada");
  }

  @Test
  void aBadNameIsShownWithWhatIsWrongWithIt() {
    NameForm form = new NameForm(gannet.channelTo(new StrictGreeter()));
    assertThat(form.send("")).containsExactly("name: must not be empty");
    assertThat(form.send("A".repeat(21))).containsExactly("name: must have at most 20 characters");
  }

  @Test
  void otherFailuresAreThrown() {
    FakeServer fake = gannet.fake(new Greeter() {});
    fake.on(GreeterMethods.SAY_HELLO, Reply.failure(Status.UNAVAILABLE));
    NameForm form = new NameForm(gannet.channelTo(fake.address()));
    assertThatThrownBy(() -> form.send("Ada")).hasMessageStartingWith("UNAVAILABLE");
  }
}
