package hello;

import dev.gannet.api.Status;
import dev.gannet.api.stub.Outgoing;

final class MyGreeter implements Greeter {
  @Override
  public HelloReply sayHello(HelloRequest request) {
    if (request.getName().isEmpty()) {
      throw Status.INVALID_ARGUMENT.withDescription("a name is needed").asException();
    }
    return HelloReply.newBuilder().setMessage("Hello " + request.getName()).build();
  }

  @Override
  public void count(CountRequest request, Outgoing<HelloReply> replies) {
    for (int i = 1; i <= request.getTo(); i++) {
      replies.send(HelloReply.newBuilder().setMessage("number " + i).build());
    }
  }
}
