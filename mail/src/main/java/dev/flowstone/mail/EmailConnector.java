package dev.flowstone.mail;

import dev.flowstone.action.Action;
import dev.flowstone.action.Connector;
import dev.flowstone.action.ConnectorSpec;
import java.util.List;

/** E-mail over one SMTP server, which whoever runs Flowstone has configured; without a configuration nothing is sent. */
public final class EmailConnector implements Connector {
    static final String ID = "email";

    @Override
    public ConnectorSpec spec() {
        return ConnectorSpec.of(ID, "1.0.0", "E-mail", "Messages over an SMTP server.")
                // Only with a user in the configuration, and then it is asked for in every attempt.
                .withoutAuth()
                .auth("Basic")
                .capabilities("send")
                .configSchema(SmtpServer.SCHEMA)
                .build();
    }

    @Override
    public List<Action<?, ?>> actions() {
        return List.of(new SendEmail());
    }
}
