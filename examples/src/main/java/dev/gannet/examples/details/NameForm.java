package dev.gannet.examples.details;

import com.google.rpc.BadRequest;
import dev.gannet.api.Channel;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.status.DetailedStatus;
import java.util.List;

/** A form with one field, which shows the error details that a server returns for the field. */
public final class NameForm {
  private final GreeterClient greeter;

  /** A form that calls the greeter over the given channel. */
  public NameForm(Channel channel) {
    greeter = GreeterClient.of(channel);
  }

  /**
   * Sends the form.
   *
   * @return what to show: a greeting, or the fields that have to be changed
   */
  public List<String> send(String name) {
    try {
      return List.of(
          greeter.sayHello(HelloRequest.newBuilder().setName(name).build()).getMessage());
    } catch (StatusException e) {
      if (e.status().code() != Status.Code.INVALID_ARGUMENT) {
        throw e;
      }
      return DetailedStatus.of(e).violatedFields().stream().map(NameForm::hint).toList();
    }
  }

  private static String hint(BadRequest.FieldViolation violation) {
    return violation.getField() + ": " + violation.getDescription();
  }
}
