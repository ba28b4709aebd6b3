package dev.gannet.examples.details;

import dev.gannet.api.Status;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.status.DetailedStatus;
import java.util.Locale;

/** Checks the names that it greets, and returns error details for names that are not valid. */
public final class StrictGreeter implements Greeter {
  private static final int MAX_LENGTH = 20;

  /** A greeter for all users. */
  public StrictGreeter() {}

  @Override
  public HelloReply sayHello(HelloRequest request) {
    String name = request.getName();
    if (name.isEmpty()) {
      throw refused("must not be empty");
    }
    if (name.length() > MAX_LENGTH) {
      throw refused("must have at most " + MAX_LENGTH + " characters");
    }
    return HelloReply.newBuilder().setMessage("Hello " + name).build();
  }

  /** The description is for people who read logs, the details are for programs. */
  private static RuntimeException refused(String what) {
    return DetailedStatus.of(
            Status.INVALID_ARGUMENT.withDescription("name " + what),
            it ->
                it.violatedField("name", what)
                    .localizedMessage(Locale.ENGLISH, "The name " + what + "."))
        .asException();
  }
}
