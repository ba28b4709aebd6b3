package dev.gannet.validation;

import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.validation.test.Divided;
import dev.gannet.validation.test.Garbled;
import dev.gannet.validation.test.Order;
import dev.gannet.validation.test.Orders;
import dev.gannet.validation.test.Receipt;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes orders, and notes which ones it has seen. */
final class OrderDesk implements Orders {
  private final List<String> seen = new CopyOnWriteArrayList<>();

  List<String> seen() {
    return seen;
  }

  private Receipt receipt(String title) {
    seen.add(title);
    return Receipt.newBuilder().setText(title).build();
  }

  @Override
  public Receipt place(Order order) {
    return receipt(order.getTitle());
  }

  @Override
  public void follow(Order order, Outgoing<Receipt> receipts) {
    receipts.send(receipt(order.getTitle()));
  }

  @Override
  public Receipt collect(Incoming<Order> orders) {
    for (Order order : orders) {
      receipt(order.getTitle());
    }
    return receipt("all");
  }

  @Override
  public void negotiate(Incoming<Order> orders, Outgoing<Receipt> receipts) {
    for (Order order : orders) {
      receipts.send(receipt(order.getTitle()));
    }
  }

  @Override
  public Receipt garble(Garbled request) {
    return receipt(request.getTitle());
  }

  @Override
  public Receipt divide(Divided request) {
    return receipt("by " + request.getBy());
  }
}
