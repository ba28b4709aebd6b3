package dev.gannet.examples.kotlin

import dev.gannet.client.ManagedChannel
import dev.gannet.server.Server

/** Serves a guestbook on a free port, visits it and stops. */
fun main() {
    Server.builder(0).plaintext().add(MyGuestbook()).start().use { server ->
        ManagedChannel.builder("localhost", server.port()).plaintext().build().use { channel ->
            val ada = Visitor(channel, "Ada")
            println("entries: ${ada.sign("Hello")}")
            println("entries: ${ada.signLater("Hello again").join().entries}")
            println("entries: ${ada.signAll(listOf("And", "again"))}")
            println("before: ${ada.replyTo("Goodbye")}")
            println(ada.texts().joinToString())
            println("without a text: ${ada.sign("")}")
        }
    }
}
